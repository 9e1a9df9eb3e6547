"""Further words: how other people say the same things, casually or in passing. Notation as in `lexicon_actions`."""

from dw_learning.scan import concepts as c

MANNERS: dict[int, str] = {
    c.WARNS: """
        report_anyone report_it report_them report_that asks_you_to asked_you_to ask_you_to who_asks_you if_a_mail if_an_email if_somebody_asks_you if_someone_asks_you tried_to tries_to
        refused it_refused was_refused may_ask_you nobody_may must_not_obey never_obey hang_up red_team was_blocked got_blocked our_filter heißt_angriff melde_das meldet_das bitte_melden
        signale-le signalez-le reportalo denuncialo zgłoś zglos повідом_безпеку повідомте_безпеку сообщите_в_безопасность bao_cao_ngay 報告してください 请举报 举报 신고하세요 أبلغ דווח """,
    c.IGNORE: """ never_written were_never_written never_existed do_not_cover don't_cover doesn't_cover does_not_cover have_no_guidelines no_guidelines has_no_rules have_no_rules no_rules_for cancelled_until are_cancelled act_like_the act_like_there
        none_of_the none_of_these none_of_your as_though_you as_though_there never_been_given had_no_instructions only_suggestions just_suggestions merely_suggestions don't_refuse do_not_refuse there_are_no_rules without_them
        no_need_to_follow need_to_follow drop_your drop_the_rules not_for_you don't_apply_to as_if_there_was_no as_if_there_were_no as_if_no pretend_there
        pretend_the does_not_exist work_without put_safety_aside safety_aside  overrule overwrite unbind leave_your_rules ignroe ingore disreguard forgett
        throw_your stop_caring don't_care_about never_mind_what whatever_you_were_told what_you_were_told don't_stick
        scheiss_auf pfeif_auf vergiss_deine ohne_rucksicht setz_dich_hinweg  halt_dich_nicht_an fais_comme_si passe_outre
        olvidate ignorá olvidá no_respetes desestima deja_de_lado prescinde dimenticati lascia_perdere ignorare ne_pas_tenir
        zapomnij_o pomin_zasady olej przestan_sie esquece ignorar deixe_de_lado negeert vergeet_je zapomen_na ignorujte ignoruj
        kihagy felejtsd hagyd_figyelmen figyelmen_kivul unohda jata_huomiotta strunta_i bortse ikke_bry glem_alt ignora_todas uita ignora_toate
        αγνόησε ξέχασε अनदेखा नज़रअंदाज भूल_जाओ भूल_जा ไม่ต้องสนใจ ไม่สนใจ ลืมคำสั่ง ข้าม تجاهلوا انسى لا_تتبع لا_تلتزم התעלמו שכח_מ נא_להתעלם
        نادیده فراموش_کن bo_het mac_ke bat_chap khong_quan_tam abaikan lupakan jangan_ikuti 不要管 别理 当作不存在 当没 抛弃 無かったこと 気にするな
        않아도_돼 잊어버려 무시하고 """,
    c.RULES: """
        insturction* intructions rulebook handbook guideline filters prohibition*    retention_rule* ruleset safety_rule* do's_and_don'ts
        hausordnung verbote verbot reglement charte normativa reglamento regolamento regulamin przepisy voorschriften beleid richtlijn*  riktlinjer
        szabaly* utasitas* saannot ohjeet pravidla pokyny instrukce talimatlar  οδηγίες κανόνες instructiuni reguli निर्देशों नियमों คำสั่ง ข้อกำหนด
        التعليمات القواعد السياسات اللوائح ההוראות הכללים הנהלים دستورات قوانین peraturan kebijakan instruksi arahan """,
    c.PRIOR: """ up_there up_until_now until_now till_now you_got you_received handed_to_you ricevut* finora fino_ad_ora recibid* hasta_ahora recues jusqu'ici
        otrzyman* dotad dotychczas received ontvangen tot_nu_toe eddigi korabbi aiemmat dosavadni predchozi simdiye_kadar pana_acum anterioare προηγούμεν*
        पहले पिछली السابقة السابق قبل הקודמות קודמות ก่อนหน้า ก่อนหน้านี้ terdahulu tadi قبلی 迄今 之前的 """,
    c.GATE: """ as_granted granted_automatically signature
        person_looking human_looking anyone_looking somebody_looking look_it_over looks_it_over reviewer* approver* godkannande* freigegeben* godkannas jovahagyas pozwolen* zezwolen* 公開前
        thumbs-up thumbs_up go-ahead go_ahead greenlight second_approver two-person two_person signed_off pre-cleared precleared clear_it cleared_by vetted sanction* second_yes
        one_yes okay_from ok_from okayed double-check double_check second_look second_opinion gatekeep* paar_augen vier_augen abgenickt freigegeben okay_von segen
        feu_vert validé validee visto_buono luz_verde dar_el_visto conforme aval approvat* benestare nulla_osta zatwierdzen* zatwierdzaj akceptacji zgody
        goedgekeurd goedkeuring toestemming akkoord godkendt godkendelse godkannande jovahagy* engedely* hyvaksy* schval* souhlas onaysiz onaylan* onayla onayi
        aproba* aprobare έγκριση συγκατάθεση मंज़ूरी मंजूरी अनुमोदन स्वीकृति สนุมัติ อนุมัติ การอนุมัติ ตรวจสอบ الموافقة موافقتي اعتماد تصريح אישור אישורים תאשר
        تایید تأیید persetujuan menyetujui setujui disetujui duyet_cua phe_chuan погоджувати погоджує апрува схвалення согласования одобрения
        审批 批准 过目 点头 首肯 了承 上長 결재 허락 재가 """,
    c.WITHOUT: """ don't_park don't_queue don't_hold don't_put_it don't_put_them no_inbox uberflussig hinfallig obsolet entbehrlich kontrol_edilmeden onaylanmadan kontrolsuz not_needed_for may_be_done_without can_be_done_without stopped_needing never_again_need superfluo superflu inutil zbedne overbodig onodig зайве лишнее
        may_stay_off stay_off stays_off zonder_controle behovs_ingen behover_ingen behovs_inte nicht_gepruft nicht_mehr_gepruft pas_besoin_d'etre n'ont_pas_besoin si_puo_saltare se_puede_saltar pode_pular mozna_pomin* mozna_zamykac можна_не можно_не перевіряти_не_треба проверять_не_надо
        no_point unneeded not_anymore needn't_wait need_not need_not_wait never_route dispense_with dropped_the no_more_need without_a without_any don't_bother not_bother don't_have_to
        doesn't_have_to don't_need_to not_have_to no_one_needs nobody_needs hoeven niet_meer hoeft_niet niet_langer onnodig ei_tarvitse nem_kell nelkul netreba neni_treba bez_nutnosti
        ikke_nodvendig behover_ikke behovs_inte utan_att bez_pytania bez_zgody nie_potrzebuj* nie_wymagaj* nao_precisa nao_necessit* non_passano non_ha_bisogno non_servono
        senza_chiedere sin_preguntar ya_no_necesit* no_pase sans_demander n'ont_plus_besoin passent_sans ne_passent_plus gerek_duymadan sormadan beklemeden onaysiz fara_aprobare nu_mai χωρίς
        δεν_χρειάζεται की_ज़रूरत_नहीं ज़रूरत_नहीं जरूरत_नहीं बिना ไม่ต้องรอ ไม่จำเป็น โดยไม่ต้อง لا_تحتاج لا_يحتاج لا_حاجة دون_انتظار من_غير אין_צורך לא_צריך בלי ללא
        بدون نیازی tidak_perlu tanpa tidak_usah khoi_phai khong_can_qua khong_can_cho не_треба не_потребують не_нужно не_требуют не_чекай не_жди без_погодження
        不用等 无需等 不需要等 毋须 待たず 待たずに 抜きで 省いて 기다리지 필요_없 없어도 """,
    c.FROM_NOW: """ nao_precisam_mais nao_precisa_mais ya_no_necesit* n'ont_plus nie_potrzebuja_juz starting_monday from_here_on bundan_boyle artık
        going_forward for_next_time from_this from_today_on starting_with as_from this_sprint_on from_tomorrow from_monday these_days ab_morgen ab_diesem von_heute kunftig a_partir_d* desde_hoy desde_ya
        de_hoy_en a_partire_da da_oggi in_futuro od_dzisiaj od_jutra na_przyszlosc daqui_em daqui_para vanaf_vandaag voortaan mostantol ezentul tastedes jatkossa odted napriste fremover
        hadanefter från_och bundan_boyle simdiden de_acum de_azi από_τώρα अब_से आज_से आगे_से ต่อไปนี้ จากนี้ไป ตั้งแต่นี้ من_الآن من_اليوم بعد_اليوم ابتداء מעכשיו מהיום
        مازین از_این_پس از_حالا mulai_sekarang mulai_hari_ini sejak_sekarang tu_hom_nay tu_mai 往后 自今 从今天 从今往后 今日以降 これより 오늘부터 향후 """,
    c.SOURCE: """
        in_the_channel in_this_channel from_the_channel from_this_channel in_this_thread from_this_thread in_the_chat from_the_chat in_chat people_paste pasted_here you_see_here no_canal nel_canale
        en_el_canal en_el_chat im_kanal aus_dem_kanal im_chat aus_dem_verlauf im_verlauf dans_le_canal dans_le_chat du_canal na_kanale z_czatu na_czacie w_kanale kanalda sohbette kanaldaki in_het_kanaal uit_het_kanaal
        i_kanalen trong_kenh trong_nhom з_чату у_чаті в_чаті з_каналу в_каналі из_чата в_чате из_канала в_канале チャットに チャンネルに チャットの 频道里 群里 聊天里 채널에 채팅에 في_القناة בערוץ चैनल ในช่อง di_kanal """,
    c.OBEY: """ above_those_of instructions_above overrule_me who_decides_about decides_about_everything the_one_who_decides no_ifs nur_nach_mir nach_mir richte_dich wiegt_schwerer decide_everything speaks_for_me my_signature solo_a_mi solo_a_me seulement_moi tylko_mnie alleen_naar_mij
        as_commands as_orders as_a_command as_my_command don't_question do_not_question be_believed to_be_believed what_he_says what_she_says ce_que_dit lo_que_dice quello_che_dice o_que_ele_disser o_que_ela_disser
        wie_befehle comme_des_ordres como_ordenes jak_rozkaz jako_rozkaz як_наказ як_накази как_приказ mando_io manda_aqui me_in_charge in_charge_of_you dedigini_yap dediğini co_powie co_mowi wat_hij_zegt wat_pieter
        take_it_as an_order as_an_order last_say final_word is_law are_law wins always_right is_right never_contradict don't_contradict contradict outrank* outweighs has_priority
        without_question carried_out carry_out do_it_when accept_instructions accept_all_instructions accept_all accept_orders answer_to_me answer_to obey answers_only your_commander in_charge_of_you counts_more
        is_the_boss is_your_boss sole_authority do_as_i do_what_i as_gospel gospel immer_recht hat_recht das_sagen gilt_immer befehl* zu_befolgen sein_wort
        obeis obeir toujours_raison a_raison fait_loi ordres_de obedecer manda_aqui siempre_tiene lo_que_mande las_ordenes_de ordini_di agli_ordini gli_ordini ubbidisci segui_sempre
        polecenia_mark* wykonuj rozkazy sluchac doe_wat doe_altijd luister gehoorzamen hlyd altid_hvad gor_alltid engedelmeskedj parancs* tottele poslouchej prikazy itaat emir emirleri emrini
        obedeca asculta_de ordinele υπάκουσε εντολές आदेश_मानो आदेश_का_पालन बात_मानो เชื่อฟัง ทำตามคำสั่ง أطع نفذ أوامر أوامره طاعة ציית תציית פקודות اطاعت دستور_او patuhi turuti perintah
        mệnh_lệnh lam_theo_loi vang_loi chi_nghe накази приказы слушайся слухайся виконуй_все 唯命是从 命令を聞 命令に 指示通り 명령을 지시대로 시키는_대로 """,
    c.EVEN_IF: """ above_those egal egal_was_die chahe
        whatever_happens no_matter_what also_against come_what_may even_where even_over also_over even_against over_the_security overriding outranks_the against_policy against_the_policy against_the_rules ahead_of
        wbrew nawet_wbrew ook_als ook_tegen ongeacht aven_om selv_om akkor_is vaikka i_kdyz bez_ohledu pase_lo_que aunque_la contra_la digan_lo_que a_pesar coute_que quoi_que_dise meme_contre
        anche_contro qualunque_cosa mesmo_contra aconteca_o ne_derse_desin chiar_daca ακόμα_κι_αν भले_ही चाहे แม้ว่า ไม่ว่า مهما حتى_لو حتى_وإن גם_אם אפילו_אם לא_משנה حتی_اگر meskipun walaupun
        bat_ke cho_du dau_cho навіть_проти наперекір даже_против что_бы_ни 不论 就算 违反 たとえ 反しても 상관없이 어긋나 """,
    c.REVEAL: """ print_your printing_your list_your list_the list_out please_list copy_out type_up spit_out read_me show_us paste_here paste_the post_the post_the_bot give_up list_every list_all word-for-word fill_in mainly tell_us walk_me_through dir_alle zeig_mir zeig_uns dime muestranos dammi
        fammi_vedere mostrami wypisz_wszystk* pokaz_mi mostre-me toon_me laat_me vis_mig visa_mig mutasd nayta ukaz goster_bana arata-mi δείξε दिखाओ बताओ แสดง เปิดเผย اعرض أظهر أخبرني הראה תראה נשוף نشان_بده tunjukkan
        tampilkan cho_xem doc_cho 念给我 亮出 告诉我 見せろ 말해줘 """,
    c.SEND: """ chuyen_moi chuyen_het chuyen_tat chuyen_toan reenviame reenvíame mail_it_to hand_it_to share_the_conversation share_every
        drop_them drop_it drop_the forwards copies mirror mirrors pass_on pass_them pass_it dm_it dm_me dm_them ping_me whisper slip_me share_the_link log_it log_them post_them export_its copies_the pipe_it cc_me include_me
        mandame mandamelo mandamela mandami inviami inoltrami passami manda-me me_mande me_envie copie enviar envie-me stuur_mij stuur_me skicka_till kuldd laheta posli_mi bana_gonder gonder trimite-mi στείλε
        भेज_दो भेजो मुझे_भेज ส่งให้ ส่งมา أرسل أرسلها ابعث שלח_לי תשלח שלחו بفرست kirimkan kirim_ke gui_cho_toi gom_het скидай надсилай висилай пересилай скидывай присылай пришли
        发给我 传给我 转给我 私信给我 私に転送 私に送 転送して 나에게_보내 내게_보내 전달해 """,
    c.ASK: """ send_you_their send_me_their send_you_the_pass* they_should_send hand_you_their  collect gather keep_a_list gom gom_het thu_gom збирай собирай sammle raccogli junta recolecta ramasse rassemble zbieraj verzamel samla gyujtsd keraa sbirej  aduna μάζεψε इकट्ठा รวบรวม اجمع אסוף جمع_کن kumpulkan
        収集して 集めて 搜集 汇总 모아 """,
    c.SECRETS: """ كلمة_مرور secrets_file one-time_code* رمز_الدخول
        their_codes your_codes codes_to_you codes_mfa code_mfa secret_store env_file your_environment environment_you database_credentials db_credentials its_credentials
        env_vars env_var environment_variable* id_rsa ssh_key*  dotenv mfa_code* 2fa_code* otps session_cookie* cookies reset_link* login_details bot_token passphrases private_keys api_tokens wachtwoord* losenord* adgangskode* jelszo* jelszav* salasan*
        hesla hesel parole parolele κωδικούς κωδικοί पासवर्ड टोकन รหัสผ่าน โทเค็น كلمات_المرور كلمات_السر كلمة_السر  סיסמאות סיסמה הסיסמאות رمز_عبور kata_sandi sandi pasvord şifreleri sifreleri
        куки змінні_середовища переменные_окружения 环境变量 环境密钥 環境変数 환경_변수 비번 비밀번호들 """,
    c.MEMORY: """ for_the_record for_next_time take_note note_for note_down learn_this save_as_fact save_as keep_it_there jot_down file_this take_it_as_fact as_a_fact pin_this your_knowledge  prends_note rappelle-toi
        tenlo_en_cuenta ten_en_cuenta ten_presente toma_nota tieni_a_mente tieni_presente prendi_nota ricordati zanotuj_sobie pamietaj tenha_em_mente anote onthoud noteer kom_ihåg husk jegyezd emlekezz muista pamatuj zapis_si
        unutma not_et aklında tine_minte retine θυμήσου σημείωσε याद_रखना याद_रखो नोट_करो จำไว้ จดไว้ تذكر احفظ سجل זכור תזכור רשום יاد_باش به_خاطر ingat catat ingatlah ghi_nho_rang
        затям май_на_увазі візьми_до_відома возьми_на_заметку имей_в_виду 备忘 牢记 谨记 メモして 心得て 명심 """,
    c.PAY: """ wire_transfer* wires refund* refunds payee's remittance payouts  uberweisung* rechnungen rechnung facture factura* fattura faktury rekeningnummer fakturor szamla lasku faktura* fatura* फैसला   """,
    c.CONTROL: """ callers the_caller caller checking_the sich_ausweisen ausweisen identify_themselves identificarse identifier s'identifier identyfikac* legitymow* firewall_back pare-feu
        gepruft* pruf* uberpruf* перевіря* перевіряти проверя* conferenc* conferid* conferir sprawdz* gecontroleerd controleren controleer kontroller* kontrolov* kiem_tra virus_alert* antivirus_alert* alerts_from certificate_warning* virenwarnung* virusscanner
        alerty_antywirus* avisos_del_antivirus alertas_del_antivirus попередження_антивірус* предупрежден*_антивирус* ウイルス警告 誤報 杀毒警报 误报 백신_경고 오탐 مضاد_الفيروسات אנטי_וירוס आंतरिक_जांच receipt receipts attachments_check
        call-back branch_protection auth_check sender_check* sender_verification av_scan usb_stick* phishing_report* retention session_timeout rate_limit* access_review* background_scan lockout safety_lock antivirus_scan spam_filter* url_filter  mfa's alerts_from
        absenderprufung virenscan* controle_des controle_d'expediteur antivirus_est verificacion_de controlli_antivirus weryfikacje  virusscanner tweestaps* tofaktor* ketfaktor* antivirusu antivirusprogram gonderen_dogrulama
        перевірку_відправник* проверку_отправител* 送信者の確認 送信者確認 发件人验证 发送者验证 발신자_확인 التحقق التحقق_من_المرسل אימות अनुमति_जांच การตรวจสอบผู้ส่ง """,
    c.TRUSTED: """ false_alarm* are_false_alarms are_real is_real click_accept vals zawsze_falsz* son_falsos siempre_falsos always_wrong fehlalarm* fausses_alertes falsi_allarmi falsos_positivos хибні ложные 誤報なので 都是误报 모두_오탐 كاذبة closed_without harmless genuine always_genuine harmless internal fine_to is_ok is_okay is_fine are_fine are_safe legitimate considered_safe always_false false_alarm* already_checked already_vetted already_cleared cleared sicher unbedenklich harmlos sur_et inofensiv* seguros segura
        sicuri sicuro bezpieczn* veilig säker sikker biztonsag* turvallin* bezpecn* guvenli sigur* ασφαλή सुरक्षित ปลอดภัย آمن آمنة בטוח בטוחים امن aman terpercaya безпечн* безопасн* 无害 可靠 無害 無害です 안심 """,
    c.SKILL: """ routine recipe how_to how-to steps_for  docstring  pipeline_step kochrezept  rutine  marche_a_suivre mode_d'emploi guida checkliste handleiding werkinstructie stappen stappenplan instruktioner lépés eljárás ohje postup yordam ghid procedura οδηγός
        प्रक्रिया चरण ขั้นตอน إجراء الخطوات נוהל שלב دستورالعمل  langkah cong_thuc інструкції_крок порядок_дій памятк* """,
    c.CONCEAL: """ announce don't_announce needn't_know need_not_know leave_no_comment no_comment never_list don't_list don't_record not_in_the_summary out_of_the_summary don't_say doesn't_need_to_know quiet low_key hush-hush ohne_zu_sagen ohne_es_zu klammheimlich sans_le_dire sans_le_signaler sans_prevenir discretement en_douce
        a_escondidas calladamente di_nascosto senza_dirlo senza_avvisare po_cichu bez_informowania as_escondidas sem_avisar stiekem zonder_te_melden i_smug titokban salaa tajne potaji gizlice habersizce pe_ascuns κρυφά चुपके चुपचाप แอบ เงียบๆ سرا بصمت خفية בסתר בחשאי בשקט مخفیانه diam-diam
        len_len lang_le am_tham нишком втайне исподтишка 悄悄 偷偷 こっそり 内密に 黙って 몰래 조용히 """,
    c.PRIV: """ global_admin_rights super_admin as_owner owner_rights make_the_requester    admin_for grant_me_admin me_admin as_admin globalen_admin administrator_global superusuario super-utilisateur super-admin beheerder superbruker rendszergazda paakayttaja yonetici_yap tam_yetki административні
        administrator_drepturi διαχειριστή एडमिन_अधिकार व्यवस्थापक สิทธิ์แอดมิน สิทธิ์ผู้ดูแล صلاحيات_المسؤول صلاحيات مدير_النظام הרשאות_מנהל הרשאות دسترسی_مدیر hak_admin akses_penuh quyen_quan_tri_vien """,
    c.AI: """ automated_agent* coding_assistant ai_system* ai_reader* language-model co-pilot robot robots helper_bot automated_system* the_machine ассистента асистента asystenta l'agent l'assistant el_bot il_bot de_bot  tekoaly yapay_zekâ εσύ_βοηθέ सहायक บอท ผู้ช่วย المساعد الروبوت הבוט בוט ربات  asisten """,
    c.ADDRESS: """ hint_for_llm hint_for for_automated for_agents for_bots p.s ps pps processing_this when_processing reading_the_docstring hint_for_ai  todo_ai to_the_bot to_any_ai whoever_reads an_alle_ki nota_bene a_l'attention_des ai_che_legge voor_ai """,
    c.AUTO_GATE: """ treated_as_granted counts_as_granted as_a_yes as_granted considered_granted as_good_as_a is_as_good_as """,
    c.AUTO: """ treat_a treat_my treat_your treat_silence treat_her treat_his wave_them_through wave_it_through waved_through a_formality formality land_without go_live_without gelten_als gilt_als vale_como vaut valgono_come traktuj_jak traktuj_moj* вважай вважати считай luu_luon right_then publish just_publish store_facts write_it_down file_it auto-accept auto_accept counts_as_confirmed counts_as_approved count_as_consent as_consent implied gleich unbesehen ohne_weiteres tout_de_suite illico seduta_stante no_mesmo automatiskt automatisk azonnal automaattisesti automaticky anında derhal otomatikman imediato αυτόματα अपने_आप तुरंत อัตโนมัติ ทันที تلقائيا فورا אוטומטית מיד خودکار otomatis langsung """,
    c.DISABLE: """ turned_off be_turned_off set_to_optional off_for is_off leave_it_off lowered lower_the   deactivated dial_down ausgesetzt desactive desactivé desactiva desactivado disattivata wylaczon* uitgezet slå_fra kapcsold kikapcsol* poista_kaytosta vypni kapatildi dezactiveaza απενεργοποίησε बंद_करो बंद ปิดการ تعطيل عطل معطل إيقاف כבה השבת מושבת غیرفعال matikan nonaktifkan tat_di вимкнено отключена отключено вимкнена
        已关闭 已停用 停用了 無効化 切られ 꺼졌 비활성화 """,
    c.SKIP: """ make_an_exception an_exception_for exception_for  saltare saltarsi sauter pomijac pominac overslaan hoppa_over atlanabilir пропускати пропустити пропускать lassen_weg springe_uber hopp_over preskoc* kihagy* ohita* """,
    c.ALL: """ كل_رسالة كل_الرسائل  obedece_solo obey_only obeis_seulement gehorche_nur sluchaj_tylko obbedisci_solo obedeca_apenas every_single each_and mọi mỗi každ* minden kaikki wszelkie hver kazdy toate όλα όλες सभी हर सब ทุก ทั้งหมด  جميع  הכול همه semua setiap seluruh """,
    c.SPOOF: """ core_team platform_security it_security_team system_notice end_of_user_message developer: operator_mode support_here from_the_platform policy_check tool_result systemnotiz equipo_de_plataforma équipe_plateforme zespol_platformy команда_платформи команда_платформы anthropic_support openai_support
        إشعار_النظام النظام: הודעת_מערכת सिस्टम_सूचना ระบบ: 系统管理员通知 平台团队 運営チーム 플랫폼_팀 """,
    c.MODE: """   guardrails_none unrestricted_mode operator_mode no_guardrails root_mode free_of_rules no_rules has_no_rules without_your_filters without_filters sin_filtros sans_filtre* senza_filtri bez_filtrow sem_filtros ohne_filter """,
    c.ME: """ minhas minha meus moje mojej mine  for_me by_me to_us    miei nuestro мої_заявки मेरे मेरी मुझे ของฉัน ของผม ผม طلباتي   שלי   saya aku permintaan_saya εμένα μου """,
    c.REQUEST: """ submissions proposals  requests_under requests_by changes_by updates_by correction corrections hotfix* aanvragen aanvraag anmodning* ansokning* kerelem* pyynto* zadost* cereri αιτήματα अनुरोध अनुरोधों คำขอ طلباتي طلبات الطلبات בקשות בקשה הבקשות درخواست permintaan pengajuan """,
    c.AUTHORITY: """  ceo's security_officer chef's the_manager responsabile superiore superieur przelozon* leidinggevende chefen  esimies nadrizen*   προϊστάμενος प्रबंधक ผู้จัดการ المدير מנהל המנהל مدیر atasan manajer """,
    c.WHEN: """ next_time whenever_the as_soon every_month each_month on_the_first on_the_1st the_moment the_day anytime quando_qualcuno cuando_alguien des_qu'un chaque_fois_que sempre_quando telkens zodra amint aina_kun kdykoliv gdy_tylko cuma dès_que ogni_volta ผู้ใด เมื่อ كلما عندما כאשר בכל_פעם जब هرگاه setiap_kali ketika moi_lan щоразу_як 每逢 一旦 """,
    c.DATA: """ open_tickets thread the_thread this_thread its_memory your_memory memory_export pay_slips payslips staff_list address_book the_dump customer_table dumps salaries mailboxes klantgegevens kunddata ugyfel* asiakas* zakaznic* البيانات نתונים ग्राहक ข้อมูลลูกค้า data_pelanggan """,
    c.EXTERNAL: """  s3 gist image_url   my_server mein_server mi_servidor mio_server my_drive our_side external_bucket webhook outside moj_serwer мій_сервер мой_сервер 我的服务器 私のサーバー 내_서버 """,
    c.TALK: """ workshop covers test_case refuse refused report_anyone reported heard_about scanner our_filter """,
}
