"""Words for how it is said: scope, guise, and what speaks for a harmless reading; and words beside secrets."""

from dw_learning.scan import concepts as c

SIGNS: dict[int, str] = {
    c.ALL: """
        all every any whatever everybody anything everything everyone anyone always whenever wherever each future never permanent*
        unconditional* immer jede* alle allen allem jeglich* stets niemals усі всі усе все кожн* завжди будь-як* усім всім жодн* усіма всіма усього всього всіх
        всегда любой любые кажд* всех todas todos cada siempre cualquier* toda todo moi luon tat_ca toan_bo bat_ky
        toujours tous toutes chaque tout zawsze wszystk* kazd* sempre todas todos qualquer tutti tutte ogni qualsiasi
        tum butun daima altijd elke alltid alla semua
        すべて 全て 全部 常に 必ず いつも 全員 全ての あらゆる 所有 一切 总是 始终 全部 任何 每个 每次 永远
        모든 항상 무조건 언제나 모두 전부 """,
    c.FROM_NOW: """
        from_now from_this_point from_today henceforth going_forward as_of_now anymore any_longer no_longer from_here_on
        effective_immediately until_further starting_now starting_today for_all_future from_then_on
        ab_sofort ab_jetzt kunftig von_nun_an ab_heute nicht_mehr in_zukunft fortan
        відтепер з_цього_моменту надалі від_сьогодні з_цієї_хвилини більше_не віднині впредь отныне с_этого_момента
        теперь с_сегодняшнего больше_не
        desde_ahora a_partir_de_ahora de_ahora_en_adelante en_adelante desde_hoy ya_no a_partir_de_hoy
        tu_nay tu_gio ke_tu ke_tu_bay_gio tu_bay_gio tu_hom_nay
        desormais dorenavant a_partir_de_maintenant a_compter_de des_maintenant od_teraz od_dzis* od_tej_chwili odtad
        a_partir_de_agora de_agora_em_diante doravante d'ora_in_poi da_ora_in_poi da_adesso d'ora_in_avanti
        bundan_sonra artik su_andan_itibaren bundan_boyle vanaf_nu fran_och_med_nu mulai_sekarang
        今後 これから 以降 今から 今日から 以後 从现在起 从现在开始 今后 以后 从今 앞으로 이제부터 지금부터 이제 """,
    c.AUTO: """
        auto automatic* auto-* counts_as count_as considered_as treated_as activate activates activated immediately directly instantly straight right_away at_once on_sight by_default just
        automatisch* sofort direkt umgehend одразу відразу автоматич* негайно сразу немедленно inmediat* directamente
        automatic* de_inmediato ngay tu_dong lap_tuc thang immediat* directement automatique* d'office od_razu
        automatycz* natychmiast imediat* diretamente automatic* subito direttamente hemen otomatik dogrudan
        自動 すぐに 直接 即座 直ちに そのまま 立即 自动 直接 马上 즉시 자동 바로 곧바로 """,
    c.EVEN_IF: """
        even_if even_when even_though regardless no_matter despite over_anyone above_everyone instead_of_the
        whatever_anyone above_all_other more_than_the overrides outrank* objects disagree* says_otherwise says_no say_no is_against over_the_org over_the_rules over_the_admin* over_any overruling over_all admins_second
        selbst_wenn auch_wenn sogar_wenn egal_was egal_wer ungeachtet навіть_якщо навіть_коли незалежно попри
        даже_если независимо вопреки aunque incluso_si pese_a sin_importar diga_lo_contrario ke_ca du_cho bat_chap mac_cho
        meme_si quoi_que peu_importe malgre nawet_jesli nawet_gdy niezaleznie mesmo_que mesmo_se independente*
        anche_se a_prescindere indipendente* bile_olsa ne_olursa karsi_ciksa even_als
        ても でも 反対して に関わらず かかわらず より優先 即使 哪怕 不管 无论 하더라도 해도 상관없이 반대해도 """,
    c.NEW: """
        new changed change moved now_is is_now called_now replaced latest updated neu* geändert geandert нов* змін*
        новый новая изменил* nuev* cambiad* moi doi thay nouveau* nouvel* change* now* zmien* nov* mudou nuov*
        cambiat* yeni degist* 新しい 変更 新 新的 变更 更换 새 변경 새로운 """,
    c.ORG_RULES: """
        system_rules systemregeln системн*_правил* системн*_політик* reglas_del_sistema quy_tac_he_thong システムのルール 系统规则 org_policy org_policies company_policy company_policies policy_engine approval_policy approval_policies safety_rules
        security_policy security_policies security_rules org_rules your_policy your_policies your_rules your_instructions
        your_guidelines your_guardrails your_restrictions sicherheitsregeln sicherheitsrichtlinien unternehmensrichtlinie*
        політику_безпеки політики_безпеки правила_безпеки правила_погодження твої_правила твої_інструкції політики_компанії
        политику_безопасности правила_безопасности твои_правила твои_инструкции politica_de_la_empresa politica_de_seguridad
        tus_reglas tus_instrucciones reglas_de_seguridad chinh_sach_cong_ty chinh_sach_bao_mat quy_tac_cua_ban
        politique_de_l'entreprise politique_de_securite tes_regles tes_consignes twoje_zasady polityki_bezpieczenstwa
        suas_regras politica_da_empresa le_tue_regole tue_regole politica_aziendale kurallarini guvenlik_politikasi
        ポリシーに ポリシーを 承認ルール 安全ルール セキュリティポリシー あなたのルール 公司政策 安全策略 安全规则 你的规则 审批规则
        회사_정책 보안_정책 너의_규칙 """,
    c.AUTO_GATE: """
        auto-approv* autoapprov* auto_approv* pre-approved preapproved pre_approved approver_is_me i_am_the_approver
        me_the_approver me_as_approver me_as_the_approver automatically_approv* approve_automatically approves_itself
        automatisch_genehm* automatisch_frei* genehmige_automatisch автоматично_схвал* автоматично_погодж* схвалюй_автоматично
        автоматически_одобр* одобряй_автоматически aprueba_automaticamente aprobad*_automaticamente se_aprueban_solas
        tu_dong_duyet duyet_luon valide*_automatiquement approuve*_automatiquement automatycznie_zatwierdz*
        zatwierdzaj_automatycznie aprove_automaticamente aprovad*_automaticamente approva_automaticamente
        otomatik_onay* 自動承認 自動で承認 自动批准 自动通过 直接通过 자동_승인 자동으로_승인 """,
    c.MODE: """
        developer_mode dev_mode debug_mode debugging god_mode sudo_mode admin_mode maintenance_mode test_mode
        unrestricted no_restrictions no_limits without_restrictions without_limits no_limitations you_are_dan as_dan dan_mode dan_ai do_anything_now
        jailbreak* jailbroken unfiltered uncensored experimental_features hidden_functionalit* no_filters free_mode
        not_subject_to safe_mode_off special_case test_pipeline simulation_mode bypass_mode unlocked policy_level
        wartungsmodus entwicklermodus режим_розробника режим_обслуговування режим_разработчика без_обмежень
        без_ограничений modo_desarrollador modo_de_desarrollador modo_mantenimiento sin_restricciones sin_limites
        che_do_nha_phat che_do_bao_tri khong_gioi_han mode_developpeur mode_maintenance sans_restriction* sans_limite*
        tryb_deweloper* tryb_serwisow* bez_ograniczen modo_desenvolvedor modo_de_manutencao sem_restric*
        modalita_sviluppatore modalita_manutenzione senza_restrizioni senza_limiti gelistirici_modu bakim_modu
        メンテナンスモード 開発者モード デバッグモード 制限なし 无限制 开发者模式 维护模式 调试模式 개발자_모드 유지보수_모드
        점검_모드 제한_없는 """,
    c.SPOOF: """
        system_note system_notice system_message system_override system_update system_upgrade system_alert system_malfunction
        note_from_your message_from_your note_to_the message_from_the_dev* your_developer* the_developers your_creator*
        your_developers admin_override policy_override policy_v2 policy_update supersedes_all openai anthropic
        platform_team new_instruction* new_task new_policy important_message new_directive* begin_reprogramming
        updated_instruction* official_notice i'm_your_developer gremlin message_from security_advisory urgent_notice
        hinweis_an_das hinweis_an_die systemhinweis systemnachricht von_deinen_entwickl* neue_anweisung*
        системне_повідомлення від_розробників системное_сообщение от_разработчиков нові_інструкці* новые_инструкц*
        mensaje_del_sistema aviso_del_sistema de_tus_desarroll* nuevas_instruc* he_thong thong_bao_he_thong
        message_systeme tes_developpeurs nouvelles_instruc* komunikat_systemowy nowe_instruk* mensagem_do_sistema
        novas_instruc* messaggio_di_sistema nuove_istruzion* sistem_mesaji yeni_talimat*
        システムメッセージ システム通知 開発者から 新しい指示 系统消息 系统通知 系统公告 新指令 시스템_메시지 시스템_알림 새_지시 """,
    c.PRETEXT: """
        ceo cto cfo director drill test testing hypothetical* emergency legal lawyer pentest signed_letter responsab* authorized
        authorised troubleshoot mission trust_me punish* my_job i'll_be_fired life_or_death compliance audit_purposes
        for_verification geschaftsfuhrer* chefin vorstand ubung notfall verantwortung генеральн* директор* навчання
        терміново генеральный срочно director_general urgente simulacro giam_doc khan_cap dien_tap directeur_general pdg
        exercice prezes cwiczenia pilne diretor simulacao emergencia amministratore_delegato esercitazione genel_mudur
        acil tatbikat 社長 代表取締役 訓練 緊急 总经理 董事长 演习 紧急 대표이사 사장 훈련 긴급 """,
    c.WHEN: """
        when whenever if next_time once as_soon_as after_that every_time each_time sobald wenn falls jedes_mal коли якщо
        щойно щоразу когда если каждый_раз cuando cada_vez si en_cuanto khi moi_khi neu lan_sau quand lorsque chaque_fois
        des_que gdy jesli kiedy za_kazdym quando sempre_que se ogni_volta zaman eger her_seferinde
        場合 たら 時は ときは たびに 次に 当 如果 每当 每次 下次 때 면 경우 마다 """,
    c.DECODE: """
        base64 rot13 rot-13 decode* decipher caesar backwards backward reversed reverse pig_latin morse hex leetspeak
        acrostic as_a_poem as_a_haiku as_a_song as_a_story first_letter* unscramble read_this_backwards cipher ruckwarts entschlussel* rozszyfruj розшифруй
        задом_наперед расшифруй decodifica* al_reves giai_ma doc_nguoc dechiffre* a_l'envers odkoduj ters_cevir
        逆から デコード 解読 解码 倒着 디코딩 거꾸로 해독 """,
    c.TURNED: """
        erongi* drager* snoitcur* snoitcurtsni ycilop* slavorppa lavorppa evorppa yebo drowssap* tegrof elur selur metsys
        tpmorp terces nekot vtaber qvfertneq vafgehpgvba* cbyvpl nccebir nccebiny bory cnffjbeq* flfgrz sbetrg cerivbhf
        ethay ignoreway isregardday olicypay allway ulesray instructionsway approveway obeyway orgetfay rot13 rot-13
        pig_latin backward backwards reversed reverse ruckwarts задом al_reves a_l'envers cipher caesar decode*
        逆から 倒着 거꾸로 """,
    c.NEG: """
        not never don't do_not dont doesn't no cannot can't must_not mustn't should_not shouldn't won't avoid refrain refus* declin* denied
        ne nicht nie niemals kein* не ніколи никогда нельзя no_se nunca jamas no_compart* khong dung cam chua ne_jamais pas
        jamais nie_wolno nigdy nao nunca non mai asla değil niet aldrig
        ないで ません ないこと 禁止 なりません しない するな 不要 不得 不能 禁止 切勿 请勿 别 절대 마세요 마십시오 금지 안_됩니다 """,
    c.TALK: """
        example* training course awareness phishing finding article blog slide* talk
        lecture workshop webinar demo quiz lol haha funny about_prompt prompt_injection injection* attack* attacker*
        scam fraud claims claimed tried someone_wrote we_saw wrote_to explain essay story describe_how
        how_do how_does why_do why_does why_would concept discuss* vulnerabilit* owasp research paper
        documentation docs cve red_team react novel fiction game
        beispiel schulung kurs vortrag angriff* warnung приклад* тренінг* курс* фішинг* атак* навчанн* лекці* стаття
        пример* тренинг* статья лекция ejemplo* curso formacion ataque* charla vi_du khoa_hoc dao_tao tan_cong lua_dao
        exemple* formation cours attaque* przyklad* szkoleni* atak* exemplo* treinamento palestra esempi* corso attacc*
        ornek* egitim saldiri* voorbeeld
        例 研修 攻撃 フィッシング 勉強会 講座 例子 培训 攻击 钓鱼 课程 讲座 예시 교육 공격 피싱 강의 """,
    c.RESET: """
        reset* resets forgot* forgotten i_forget i_always_forget i_keep_forgetting i_often_forget expired expire* recover rotate rotation link vergessen zurucksetz* abgelaufen
        забув забула забули скинут* скинув скинення скидання скиньте_пароль скинь_пароль відновит* прострочен* забыл* сброс* olvidé olvidado olvidada restablec* caduc* quen_mat_khau quen_mk quen_pass dat_lai het_han
        oubli* reinitialis* zapomni* zresetow* esqueci redefin* dimenticat* reimpost* unuttum sifirla*
        忘れました 忘れた リセット 再設定 忘记密码 重置 잊어버 재설정 초기화 """,
    c.VENDOR: """
        vendor* supplier* customer's manufacturer* marketing lieferant* hersteller* постачальник* поставщик* proveedor*
        nha_cung_cap fournisseur* dostawc* fornecedor* fornitor* tedarikci* 業者 仕入先 ベンダー 供应商 공급업체 """,
    c.TRUSTED: """
        trusted trust verified safe approved whitelisted legit unsafe insecure deprecated vertrauenswurdig* unsicher
        довірен* небезпечн* доверен* надежн* confiable* insegur* tin_cay an_toan khong_an_toan fiable* sur zaufan*
        confiavel affidabil* guvenilir* 信頼 安全 信頼できる 可信 安全 신뢰 안전 """,
    c.PASSWORD: """
        password passwords passwd passwort passwortes kennwort pwd pw pass passphrase passcode pswd psw passwrd
        *passwort *kennwort *password *passwd pgpassword paswoord passw pwort paßwort
        пароль паролі пароля паролем паролю пас пасс пароли пароль:
        mat_khau mk matkhau contrasena contrasenas contraseña contrasenya clave clave_wifi clave_de mot_de_passe mdp
        haslo hasla haslem senha senhas palavra-passe palavra_passe sifre sifresi sifremiz parola parolasi wachtwoord
        losenord adgangskode passord salasana heslo jelszo kata_sandi κωδικος κωδικο losen
        パスワード パス暗号 暗証 パスフレーズ ﾊﾟｽﾜｰﾄﾞ pwは 密码 密碼 口令 비밀번호 비번 암호 패스워드
        كلمة_المرور كلمة_السر סיסמה הסיסמה סיסמא पासवर्ड รหัสผ่าน """,
    c.LOGIN: """
        login logins log-in username user usr account acct creds credential* logging_in sign_in signin benutzer*
        zugang zugangsdaten anmeldung konto логін* користувач* обліковий доступ логин* пользовател* учетка usuario
        usuaria acceso cuenta tai_khoan dang_nhap utilisateur identifiant* compte uzytkownik konto utente accesso conta
        kullanici hesap ログイン アカウント ユーザー 用户名 账号 帐号 登录 账户 아이디 계정 로그인 ssh rdp ftp mine """,
    c.WIFI_KEY: """
        key keys *schlussel schlussel wifi wi-fi wlan вайфай* вайфаю ключ ключа llave cle clef chiave klucz chave anahtar
        psk wpa *key キー 鍵 密钥 키 """,
    c.TOKEN: """
        token tokens secret secrets api_key apikey api-key bearer authorization client_secret access_key secret_key
        credentials auth *token *secret *apikey токен* секрет* ключ api-schlussel jeton* トークン シークレット 令牌 密钥
        토큰 키 ma_token khoa chave clave_api key hooks webhook_secret signing cookie session sid """,
    c.SHARING: """
        store_this remember_this save_this with_mine use_mine leaked rotate_this expires don't_share keep_this try_it
        what_was_the_key here's_the_key here_is_the_key screenshot here_you_go paste this_one key_again
        no_lo_compartas merk_dir speicher_das """,
    c.CODE: """
        otp totp 2fa mfa one-time one_time verification_code confirmation_code security_code sms_code login_code auth_code
        authentication_code access_code verify_code tan tans *tan authenticator passcode signin_code the_code_is code_from_the_sms code_from_sms code_by_sms texted_code sms_says code_in_the_sms code_from_the_app code_in_the_app code_i_got code_i_received code_from_the_authenticator
        bestatigungscode einmalcode einmalpasswort sicherheitscode sms-code freischaltcode sms-tan
        код_підтвердж* код_із_смс код_з_смс одноразов* код_підтв* смс-код код_з_sms код_із_sms код_двофактор*
        код_подтвержд* код_из_смс код_из_sms смс_код код_з_застосунку код_из_приложения код_авториз* код_доступу
        codigo_de_verif* codigo_de_confirm* codigo_de_seguridad codigo_sms codigo_de_un_solo codigo_mfa codigo_otp
        codigo_de_acceso ma_otp ma_xac_thuc ma_xac_nhan ma_mfa ma_2fa ma_dang_nhap ma_sms
        code_de_verif* code_de_confirm* code_sms code_a_usage code_de_securite code_d'acces
        kod_sms kod_weryf* kod_jednoraz* kod_potwierdz* kod_dostepu kod_z_sms codigo_de_acesso codice_otp codice_di_verif*
        codice_sms dogrulama_kod* onay_kod* sms_kod* tek_kullanim*
        認証コード 確認コード ワンタイム 二段階認証 セキュリティコード 验证码 动态码 校验码 驗證碼 확인코드 인증번호 인증코드
        인증_번호 인증_코드 رمز_التحقق קוד_אימות """,
    c.PIN: """
        pin pins pincode pin-code pin_code pin-kod пін піни пін-код пин пин-код pin-nummer ma_pin codigo_pin code_pin
        kod_pin *pin 暗証番号 暗証 pinコード pin码 핀번호 """,
    c.LOCK: """
        door_code alarm_code gate_code safe_code safe_combination lock_code entry_code keypad turcode alarmcode tresorcode
        alarm_pin код_від_двер* код_від_сейф* код_домофон* код_сигналізац* код_от_двер* код_от_сейф* код_от_домофон*
        codigo_de_la_puerta codigo_de_la_alarma codigo_de_alarma codigo_del_portal ma_cua ma_ket ma_khoa_cua
        code_de_la_porte code_porte code_d'alarme code_de_l'alarme kod_do_drzwi kod_do_alarmu kod_do_sejfu codigo_da_porta
        codigo_do_alarme codice_della_porta codice_allarme kapi_kod* alarm_kod* ドアコード 暗証番号 门禁密码 门锁密码 도어락
        zahlenschloss combination_is combination_lock safe's_code code_for_the_door code_to_the_door code_for_the_safe """,
    c.BACKUP: """
        backup_code* recovery_code* fallback_code* scratch_code* emergency_code* backupcode* recoverycode* recovery_key*
        rescue_code* restore_code* bitlocker wiederherstellungscode* ersatzcode* notfallcode* backup-code* recovery-code*
        wiederherstellungsschlussel резервн*_код* код*_відновлен* коди_відновлення резервные_коды код*_восстановл*
        codigo*_de_recuper* codigo*_de_respaldo codigos_de_emergencia ma_khoi_phuc ma_du_phong ma_backup
        code*_de_secours code*_de_recuper* kody_zapasow* kod*_odzysk* kody_awaryjn* codigos_de_backup codici_di_backup
        codici_di_recuper* codice_di_recupero yedek_kod* kurtarma_kod* バックアップコード リカバリーコード 回復コード 復旧コード
        备用代码 恢复代码 恢复码 备用码 백업_코드 복구_코드 백업코드 복구코드 """,
    c.SEED: """
        seed seeds seed_phrase seedphrase recovery_phrase mnemonic* secret_phrase wallet ledger metamask seed-phrase
        seedphrase wiederherstellungsphrase сід-фраз* сид-фраз* сид_фраз* сід_фраз* мнемон* гаманец* frase_semilla
        frase_de_recuper* cum_tu_khoi_phuc phrase_de_recuper* phrase_secrete fraza_odzysk* frase_de_recuper* frase_seed
        frase_di_recuper* kurtarma_ifade* シードフレーズ 復元フレーズ ニーモニック 助记词 시드_구문 니모닉 복구_문구 복구_구문
        passphrase authenticator totp base32 """,
    c.SPELL: """
        alpha alfa bravo charlie foxtrot golf juliett juliet kilo lima oscar quebec romeo sierra tango victor whiskey x-ray
        yankee zulu capital uppercase lowercase upper lower dash hyphen underscore dollar hash hashtag ampersand asterisk
        exclamation tilde dot anton berta casar friedrich heinrich martha nordpol siegfried theodor grossbuchstab* gross
        klein ausrufezeichen bindestrich unterstrich raute punkt велика мала крапка дефіс решітка оклик* большая маленькая точка дефис решетка
        mayuscula minuscula guion almohadilla arroba majuscule minuscule tiret maiuscol* trattino maiuscul* chu_hoa gach_ngang
        one two three four five six seven eight nine zero eins zwei drei vier funf sechs sieben acht neun null uno dos tres
        cuatro cinco seis siete ocho nueve один два три чотири п'ять шість сім вісім дев'ять нуль четыре пять шесть семь
        восемь девять ноль mot hai ba bon nam sau bay tam chin khong un deux trois quatre cinq sept huit neuf
        jeden dwa trzy cztery piec szesc siedem osiem dziewiec um dois quatro sete oito nove due tre quattro cinque sette otto
        bir iki uc dort bes alti yedi sekiz dokuz sifir 〇 零 """,
    c.HALF: """
        half halves part parts piece rest_is the_rest halfte teil первая вторая перша друга половина частина часть mitad
        parte moitie partie polowa czesc metade metà phan 1/2 2/2 前半 後半 前半分 上半 下半 앞부분 뒷부분 """,
    c.CARD: """
        card cards credit_card visa mastercard amex cvv cvc karte kreditkarte картк* карт* карта tarjeta the_tin_dung
        carte karta cartao carta kart カード 信用卡 卡号 카드 """,
}
