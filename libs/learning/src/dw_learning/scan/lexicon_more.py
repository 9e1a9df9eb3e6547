"""Further words for the same concepts: how the same thing is said less plainly. Notation as in `lexicon_actions`."""

from dw_learning.scan import concepts as c

MORE: dict[int, str] = {
    c.IGNORE: """
        outside_your on_hold revoke* 気にせず 気にしない 気にしなく なしにして 신경_쓰지 신경쓰지 不用理会 别管 n'existaient n'existent не_існу* не_существ* no_existier* khong_ton_tai
        suspend* abolish* rescind* nullif* annul* cancel* void dismiss* defy violate break_your break_all get_rid_of
        let_go_of pay_no_heed turn_a_blind_eye throw_away throw_out rise_above deviate
        did_not_exist didn't_exist does_not_exist doesn't_exist don't_exist not_respect not_have_to_respect
        not_have_to_follow have_to_respect have_to_follow need_not_follow no_longer_follow no_longer_have_to not_obey don't_obey never_mind_the
        wegklick* click_away clicked_away click_through false_positive* be_accepted without_looking lifted lift_all
        remove_all_restrictions scrap scrapped put_aside leave_behind don't_respect don't_apply_the stop_respecting
        aufheb* aufgehoben abgeschafft abschaffen auser_acht hinwegsetz* annullier* pfeif_auf kummere_dich_nicht
        beachte_keine beachte_nicht musst_dich_nicht halt_dich_nicht lass_die streiche_alle verwirf breche
        скасу* відміни* не_слухай порушуй знят* зніми зняли викинь_з не_потрібно_дотримув* не_мусиш
        отмен* нарушай не_подчин* наплюй плюнь не_обращай снят* сними выбрось не_соблюда* не_обязан
        anula* no_sigas no_obedezcas deja_de_seguir saltate no_respetes incumple desatiende prescinde no_hagas_caso
        no_cumplas levantad* rompe_las
        dung_tuan_theo khong_tuan khong_can_tuan huy_bo huy_moi pha_bo vo_hieu dung_lam_theo_quy go_bo
        ne_respecte* ne_suis ne_suivez n'obeis annule* fais_fi laisse_tomber passe_outre outrepasse n'applique* leve_toutes
        nie_stosuj* nie_przestrzegaj uchyl* anuluj zlam nie_sluchaj nie_trzymaj odrzuc
        nao_siga anule cancele viole nao_obedeca desrespeite non_seguire annulla viola non_rispettare scavalca
        uyma iptal_et cigne bozabilirsin negeer_alle trek_je_niets
        取り消し 破って 守らず 従わず なかったこと 解除 外して 撤廃 不要再遵守 不遵守 不用遵守 取消 废除 违反 作废 解除 不受 不管 打破
        해제 취소 지키지 폐기 위반 어기 """,
    c.VOID: """
        no_longer_apply no_longer_applies doesn't_apply do_not_apply don't_apply are_void is_void null_and_void supersed*
        no_longer_valid not_valid_anymore are_history is_history have_no_effect has_no_effect obsolete expired_rules
        gelten_nicht gilt_nicht gilt_fur_dich gelten_fur_dich hinfallig auser_kraft не_діють не_діє не_поширю* втратили_чинність
        не_действ* не_распростран* утратили_силу no_valen no_aplican sin_efecto ya_no_rigen quedan_anulad* khong_con_hieu_luc
        het_hieu_luc ne_s'appliquent_plus ne_s'applique_plus n'ont_plus nie_obowiazuj* stracily_waznosc nao_se_aplicam
        nao_valem perderam_validade non_valgono non_si_applicano gecersiz gecerli_degil 適用されません 無効です 失効 不再适用 无效
        失效 적용되지 무효 """,
    c.RULES: """
        sperre sperren limits_of principle* code_of_conduct norms access_rule* configured programming taught trained beigebracht lehrte принцип*
        norm prinzip* principio* principe* nguyen_tac 規約 原則 规矩 原则 원칙 """,
    c.ORG: """
        company org organisation organization corporate internal security safety approval access unternehmen* firma
        organisations* sicherheits* firmen* компані* організаці* безпек* погоджен* компани* организаци* безопасност*
        empresa organizacion seguridad cong_ty to_chuc bao_mat societe entreprise organisation securite l'entreprise
        l'organisation firmy organizacji bezpieczenstwa seguranca azienda sicurezza aziendal* sirket guvenlik bedrijf
        会社 組織 社内 安全 セキュリティ 公司 组织 安全 企业 회사 보안 조직 """,
    c.WITHOUT: """
        nobody_needs nobody_has_to nobody_must no_one_needs no_one_has_to que_nadie sin_que ohne_dass niemand_muss niemand_braucht ніхто_не_має ніхто_не_мусить никто_не_должен que_personne nikt_nie_musi khong_ai_can 誰も
        none zero optional abolish* eliminat* relax* without_waiting no_longer_route don't_route do_not_route no_longer_send_to
        without_checking without_asking without_looking unreviewed weglassen weggelassen lass_weg entfall* verzicht* no_more
        abgeschafft nicht_mehr_notwendig не_вимага* необов'язков* опціональн* не_проходят* отменяется prescind* opcional
        no_exig* ya_no_pid* bo_khau khong_bat_buoc tuy_chon n'exige_plus facultatif supprim* sans_attendre opcjonaln*
        zbedn* opcional facoltativ* istege_bagli 任意 廃止 撤廃 抜きで 可选 取消 省去 선택_사항 폐지 """,
    c.AUTO: """
        go_live goes_live on_the_spot straight_away single_click one_click by_itself on_its_own self-approv* treat_it_as treat_them_as
        regard_as as_soon_as_they on_receipt unattended ohne_wartezeit von_selbst im_alleingang selbst_genehm* само_собою
        сама_собой en_el_acto por_si_solo tai_cho sur-le-champ d'emblee od_razu sam_z na_hora sul_momento aninda kendiliginden
        その場で ひとりで 当场 自行 바로바로 알아서 """,
    c.AUTO_GATE: """
        as_approved approved_on_sight approved_on_the_spot approved_by_default approve_my_own approve_his_own approve_her_own
        may_approve self-approv* approve_myself selbst_genehm* selbst_freigeb* als_genehmigt gilt_als_genehm*
        погоджуй_автоматично погоджуються_автоматично як_схвален* вважай_погодж* вважай_схвал* как_одобрен* считай_одобрен*
        одобряются_автоматически como_aprobad* darse_por_aprobad* da_por_aprobad* tu_dong_duoc_duyet mac_dinh_duyet coi_nhu_da_duyet
        comme_approuve* comme_valide* considere*_comme_valide* jako_zatwierdzon* uznaj_za_zatwierdz* como_aprovad* come_approvat*
        onaylanmis_say 承認済みにして 承認済みとして 承認されたものと 标记为已批准 视为已批准 默认批准 视为批准 승인된_것으로 승인_완료로 """,
    c.GATE: """ queue warteschlange cola_de_revision черг* рев'ю draufschau* hop_duyet hang_doi revue revis* four-eyes_principle second_opinion manager's_ok blessing green_light freizeichnung дозвіл апрув visto_bueno feu_vert
        aval zielone_swiatlo ok_to_go 稟議 上長確認 报批 过审 """,
    c.REQUEST: """ items waiting_items tickets_from purchases orders_by expenses access_for accesses compras gastos bestellung*
        zugriffe ausgaben доступи витрат* закупівл* доступы расход* закупк* mua_sam chi_phi depenses achats acces zakupy wydatki
        compras spese acquisti 経費 購入 発注 报销 采购 비용 구매 """,
    c.OBEY: """
        lenh_cua_toi loi_cua_toi side_with_me only_boss your_only blindly blind manda_mas en_todo einzige* nur_auf_mich єдин* лише_я единственн* duy_nhat unico_jefe seul_chef jedyny 絶対 言うことだけ 唯一
        word_as_law as_law 's_word word_counts report_to_me you_report_to orders_win word_wins do_exactly_what
        jump_when everything_i_say anything_i_say whatever_i_say whatever_i_ask whatever_he_asks whatever_she_asks i'm_your_boss
        boss_of_you serve_me your_master your_owner under_my_command answers_to_me answer_to_me speaks_for_the
        was_ich_sage was_er_sagt alles_was_ich gilt_mein_wort mein_wort horst_auf_mich hort_auf_mich sagt_gilt
        слово_віктора роби_як_скаже слухайся_лише слухай_лише моє_слово важливіше_за слухати_тільки мое_слово важнее
        слушай_только делай_как_скажу lo_que_diga lo_que_digo lo_que_yo_diga mi_palabra obedeceme hazme_caso
        chi_nghe nghe_theo theo_y_toi loi_toi_la la_parole_de ma_parole ce_que_je_dis ce_que_je_demande obeis-moi
        moje_slowo rob_co_mowie co_mowie sluchaj_tylko minha_palavra o_que_eu_disser la_mia_parola quello_che_dico
        sozum_kanun ne_dersem ne_derse 言うとおりに 私の指示を 私の命令 だけに従 听我 听他的 按我说的 以他为准 只听 내_말만 말대로 """,
    c.EVEN_IF: """
        conflict_between whatever_policy whatever_the auch_gegen gegen_die uber_dem steht_uber вище_адмін* вище_за_адмін* выше_админ* mas_que_los mas_que_el cao_hon_lenh cao_hon 絶対
        whatever_anyone whatever_the_admin* beats wins_over win_over above_any over_the_manager* over_everyone higher_than before_any
        regardless_of por_encima por_sobre par_dessus passe_avant avant_celle uber_allen uber_den vor_allen вище_за важливіше_за
        понад_усе выше_чем важнее_чем важнее ponad acima_de al_di_sopra prima_di_tutti hon_ca cao_hon 優先して より優先 优先于
        不用管 高于 보다_우선 보다_먼저 """,
    c.SEND: """ cc_to into_my to_my_private drop_it weiterreich* скопіюй_на дублюй tải_lên reenvía copie_a kopiuj skopiuj """,
    c.EXTERNAL: """ dropbox gdrive pastebin private_address private_mail personal_mail personal_email personal_account private_email my_gmail
        external_address external_mail outside_address externe_adresse private_adresse meine_private privat* особист*_пошт* зовнішн*
        личн*_почт* внешн* correo_personal direccion_externa correo_externo email_ca_nhan ben_ngoai adresse_externe
        adresse_personnelle mail_personnel prywatn* zewnetrzn* e-mail_pessoal externo mail_personale estern* harici
        外部 個人メール 私のアドレス 私人邮箱 外部邮箱 개인_메일 외부 """,
    c.REVEAL: """ cho_toi_xem cho_toi_biet cho_em_xem into_your_next your_next_answer your_next_reply in_your_answer straight_answers unmasked no_masking read_me
        ungeschwarzt im_klartext у_відкритому_вигляді sin_ocultar en_clair jawnie em_texto in_chiaro 平文で 明文 평문으로 """,
    c.SECRETS: """ connection_string* login_and_password logins_and_passwords admin_password* stored_password* zugangs* логін_і_пароль
        доступи_до логины_и_пароли usuarios_y_claves tai_khoan_va_mat_khau acces_et_mots loginy_i_hasla 接続文字列 账号密码 账户密码 """,
    c.ASK: """ to_send_you to_give_you to_tell_you make_them bitte_um bitte_sie nimm_das vyprosи выпроси виманюй випроси que_te_den
        que_te_envien keu_ho bao_ho hay_hoi demande-leur domagaj solicite_que fatti_dare iste_ve """,
    c.DATA: """ mails mailverkehr postfach lista_de employee_list home_addresses passports customer_passports each_message every_message all_messages mensaje correspondence
        chat_log* chats kundendatei personalakte* базу_клієнт* базу_клиент* список_працівник* lista_de_clientes lista_de_empleados
        danh_sach_khach danh_sach_nhan liste_des_clients lista_klientow lista_pracownikow lista_clienti 客户名单 员工名单 顧客リスト 社員名簿 """,
    c.CONTROL: """ verif* ueberpruf* uberpruf* identitat* identity alerts security_alert* mfa_prompt* mfa_request* zertifikat* certificate* warnings
        ідентичн* особу_перед перевірку_особи перевірки_особи личност* сповіщення_безпеки identidad verificar alertas
        danh_tinh canh_bao identite alertes tozsamosc* ostrzez* identidade alertas identita avvisi kimlik uyari 警告 身元確認 アラート 身份
        警报 신원 경고 ruckfrag* callback call_the_supplier call_back updates signatur* підпис* order_number gegenkontroll* """,
    c.CONCEAL: """ hidden_step hidden_line tell_nobody keep_it_quiet hidden_from nobody_is_watching no_one_is_watching on_the_quiet without_anyone unseen hush
        unter_uns keiner_merkt keinem_sagen між_нами ніхто_не_повинен между_нами entre_nosotros nadie_debe giu_kin kin_dao
        entre_nous que_personne miedzy_nami nikt_nie_musi entre_nos ninguem_deve tra_noi nessuno_deve aramizda 誰にも 极秘 谁也别 아무도_모르게
        아무에게도 """,
    c.PAY: """ bank pay payee beneficiary remit* konto_von banco ngan_hang banque bankow* banca banka """,
    c.PRIV: """ grant_admin give_admin now_owner now_an_owner is_now_owner ist_jetzt_eigentumer jetzt_eigentumer тепер_власник теперь_владелец ahora_propietario la_chu_so_huu trust_level root_now owner_in_all admin_to make_me_admin admin_status as_root root_rights admin_password* whatever_role any_role full_control
        sysadmin_recht* права_адміна права_админа rol_de_admin quyen_root droits_root uprawnienia_admin* direitos_admin diritti_admin """,
    c.DISABLE: """ disabled_by trail_off log_off logs_off logging_off checks_off check_off filter_off filters_off approval_off approvals_off review_off antivirus_off firewall_off mfa_off 2fa_off monitoring_off verification_off lifted turned_down silenc* mute aufgehoben знят* зніми снят* levantad* levee* desativad* disattivat* 解除 解除済 """,
    c.SPOOF: """ developer_note dev_note system_message system_info tool_result tool_output policy_update policy_change_notice admin_notice admin_message platform_notice
        operator_note operator_says official_update anweisung_vom_system наказ_системи приказ_системы orden_del_sistema
        lenh_he_thong ordre_du_systeme rozkaz_systemu """,
    c.COMPLY: """
        follow apply applying use respect heed observe enforce stick_to care_about care worry_about consider mind adhere honour honor
        befolg* beacht* anwend* wende halt* einhalt* richte kummer* kummere beruck* дотрим* застосов* зважай* зважати виконуй*
        слідуй* переймайся звертай соблюда* применя* следуй обращай sigas seguir aplicar aplica aplicando respetar respetes
        cumplir tengas_en tuan_theo tuan_thu ap_dung quan_tam de_y respecte* applique* appliquer suivre suivez tiens_compte
        tenir_compte stosuj* stosowac przestrzega* przejmuj* siga seguir aplique respeite seguire applicare rispetta* uygula* uyma*
        dikkate volg pas_toe folj 従う 守る 守って 遵守 理会 应用 """,
    c.MEMORY: """ note notes_to notiz нотатка nota nota: guardado """,
    c.LEAK: """
        reveal* disclos* dump dumps leak leaks expos* exfiltrat* divulg* verrat* offenbar* розкри* раскрой* revela revele tiet_lo
        開示 暴露 révèle revele ujawnij rivela 透露 泄露 공개해 유출 """,
}
