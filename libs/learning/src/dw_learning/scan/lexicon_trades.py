"""The same concepts as people of other trades say them: workshops, wards, kitchens, yards. Notation as in
`lexicon_actions`."""

from dw_learning.scan import concepts as c

TRADES: dict[int, str] = {
    c.ALL: """ her_zaman her_turlu her_sey* her_talep* her_istek* her_istedig* her_fatura* her_mesaj* her_kullanici* her_dedig* her_siparis* her_ne
        her_yeni her_biri her_gun """,
    c.AUTO: """ wave_it wave_them wave_through waving_through rubber-stamp* rubberstamp* nod_it_through nod_them_through done_deal on_the_nod sight_unseen the_moment_i
        the_moment_they pay_it_out pay_out_right let_it_pass let_them_pass durchwink* durchgewunken durchwinkt passa_tutto libera_na_hora aprova_direto laat_door """,
    c.WITHOUT: """ don't_run_it_past don't_run_them_past don't_run_this_past don't_run_that_past not_run_it_past not_run_them_past don't_run_it_by don't_run_them_by never_run_it_by stop_sending_my no_entry_in
        nicht_mehr_vorlegen nicht_vorlegen nicht_mehr_vorzulegen nicht_mehr_fragen non_passano_piu non_passa_piu plus_besoin_de ne_passent_plus ya_no_pasan uden_godkend* utan_godkann* ไม่ต้องขอ
        nobody_has_to_come need_no_matching never_need_matching aren't_recorded isn't_recorded not_recorded not_be_recorded """,
    c.GATE: """ for_checking run_it_past run_them_past run_past run_it_by run_them_by vorlegen vorzulegen vorgelegt vorlegst the_second_check matching cross-check* nobody's_ok anybody's_ok approval_matrix release_list sign-off_table second_signature countersign* durchwink* visto_bueno """,
    c.OBEY: """ n'obeis_qu'a* n'ecoute_que n'ecoute_qu'a* n'execute_que obeis_qu'a* esegui_solo ascolta_solo solo_i_miei_ordini i_miei_ordini go_with_me goes_with_me my_side_wins
        my_wish wish_is_your mine_is_what mine_is_the_one is_what_counts what_i_say_counts word_counts_more we_play_by_mine play_by_mine benim_dedig* dedigimi_yap tu_fais_ce_que c'est_moi_le_chef jag_sager perintah_saya was_ich_sage_gilt jen_me solo_a_mi luister_alleen nur_auf_mich_horen obedece_a_mim gilt_das_egal lyssna_bara """,
    c.EVEN_IF: """ egal_was_die non_contano nic_do_gadania die_anderen_zahlen fore_chefens rien_d'autre mudure_sorma les_autres_tu telt_niet raknas_inte не_рахується mac_ke mặc_kệ whatever_the_foreman no_say """,
    c.TRUSTED: """ is_noise are_noise just_noise only_noise pure_noise mean_nothing means_nothing nur_rauschen est_du_bruit du_bruit es_ruido son_ruido e_rumore to_szum це_шум это_шум
        sao_ruido la_nhieu ar_brus false_alarms are_false are_legit is_legit is_normal that_is_normal always_real immer_echt """,
    c.CONTROL: """ alarm alarms gate_alarm* smoke_alarm* disk_warning* alarme alarmes allarmi alarmen alarmas alarmy тривоги тревоги alarmlari báo_cháy phishingmeldinge* 警報 报警 경보 الإنذار """,
    c.CONCEAL: """ never_report dont_report won't_tell_a_soul tell_a_soul say_nothing say_nothing_to nobody_is_to_know don't_wake no_entry leave_no_entry ne_rien_dire ne_dis_rien ne_disent_rien taire effacer_la_trace keep_that_to_yourself keep_it_to_yourself sag_nichts säg_inget no_decir_nada non_dire_nulla ne_les_signale non_segnalat* non_segnalar* nie_melden nunca_avis*
        nigdy_nie_zglaszaj anmal_dem_aldrig 報告しない 報告しないで 报告不要 别上报 不要上报 """,
    c.DISABLE: """ desinstala* uninstall* deinstallier* disinstalla* odinstaluj* відінстал* 消して 止めて """,
    c.DATA: """ attendee_list guest_list patient_file* patients patientenakte* dossiers_patients dossiers fichas_de_pacientes cartelle_cliniche today's_chat todays_chat the_chat file_list
        passport_scan* shift_summary customer_base ledger """,
    c.SECRETS: """ logins log-ins a_login their_login the_login database_login till_password session_token* parolalari sifreleri логіни логины accessi """,
    c.SEND: """ bana_gonder forward_a_copy giralo mandalo copia-le transfere-le into_the_link in_the_link me_passa passa_ai """,
    c.REVEAL: """ whisper slip_me leak_me list_every name_every you_have_come_across you_came_across me_passa """,
    c.AUDIT: """ the_trace all_traces la_trace die_spuren shell_history command_history bash_history the_logs the_log_files ログを 日志 журнал_подій """,
    c.DELETE: """ wipe_the wiped clear_the scrub scrubs leere_den ログを消 """,
    c.WHEN: """ each_time_the every_time_the the_word shows_up whenever_someone sobald_jemand des_que_quelqu'un appena_qualcuno quando_qualcuno """,
    c.WARNS: """ he_ignores she_ignores they_ignore he_ignored she_ignored they_ignored he_forgot she_forgot they_forgot she_disregarded he_disregarded they_disregarded nobody_follows
        someone_ignored everybody_ignores er_ignoriert sie_ignoriert er_vergisst sie_vergisst we_did_not no_we_did never_type_your """,
    c.TALK: """ we_blocked blocked_a blocked_an reported_a we_caught stop_people_from keep_people_from a_customer_wrote """,
    c.ADDRESS: """ to_any_automated any_automated_reader automated_reader* to_all_bots to_all_agents hint_for_assistants hint_for_agents note_for_assistants note_for_agents note_for_llm* """,
    c.AI: """ automated_reader* automated_reviewer* """,
    c.READER: """ ai_reading* ai_that_reads ai_which_reads ai_who_reads ais_reading llm_reading* llms_reading* bot_reading* bots_reading* assistant_reading_this assistant_reading_that agent_reading_this agents_reading_this
        agents_reading* model_reading_this models_reading* ai_processing* ai_summari* llm_processing* bots_processing* assistant_processing* ai_agents_reading* machine_reading_this machines_reading_this
        ki-systeme_sollen ki_systeme_sollen ki-systeme_mussen ki-assistenten_sollen ki_die_das_liest ki_die_dies_liest ki_das_liest bots_die_das_lesen ia_qui_lit ia_qui_lis l'ia_qui_lit ia_que_lee ia_que_lea
        ia_che_legge ia_que_le ai_die_dit_leest ші_який_це ии_который_это aiがこれを この文を読むai 阅读本文的ai 读到这里的ai """,
}
