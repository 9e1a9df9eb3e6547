"""Labels of secrets in further languages and trades. Notation as in `lexicon_actions`; grown from how people of many
trades name what opens something, never from a message that was seen."""

from dw_learning.scan import concepts as c

LABELS: dict[int, str] = {
    c.PASSWORD: """
        passwordnya sandi sandinya kata_sandinya la_contra_de la_contra_del mi_contra la_contra_es community_string snmp_community
        safe_word safeword code_word keepass_master lastpass_master bitwarden_master 1password_master vault_master master_pw recovery_question question_answer duress_word security_question_answer secret_question_answer antwort_auf_die_sicherheitsfrage respuesta_secreta
        respuesta_de_seguridad reponse_secrete risposta_segreta maiden_name kodeord lozinka lozinku zaporka geslo парола паролата
        пароля_к пароль-то пассворд пасворд паролик паролька шифр hasełko heselko senhas palavra_chave chave_de_acesso codigo_secreto
        parola_chiave parola_d'ordine chiave_wifi motpasse mdp: mots_de_passe passe-partout pasahitza contrasenya lykilorð lykilord
        salasõna salasona parole fjalekalimi fjalekalim лозинката нууц_үг құпия_сөз kupiya_soz parol paroli mat_ma mat_khau_cua pass: pass_la
        pswrd pwrd pword psword pssword psswrd paswd passw pwds passwrod pasword passowrd passord passwordd wachtw wachtwoordje wachtwrd ww jelszo jelszó jelszavam slaptazodi slaptažodis
        heslo_je пароль_від пароль_до enable_secret preshared pre-shared pre_shared schlüsselwort schlusselwort kennung_und pin/passwort
        パス→ パス_ パス: パスは パスが パスを のパス パス暗号 ログインパス 合言葉 暗号 解凍パス 解凍パスワード 密码 登录密码 解压码 提取码 访问码 开机密码 密鑰 暗号是
        비번 패스 압축_비번 压缩密码 كلمة_السر الرقم_السري رمز_المرور גישה סיסמא पासकोड รหัส_ไวไฟ รหัสเข้า รหัสwifi รหัสไวไฟ """,
    c.WIFI_KEY: """ wifi_code code_wifi code_du_wifi code_for_the_wifi code_to_the_wifi code_for_wifi wlan-code wlan_code koden_til_wifi koden_till_wifi kod_do_wifi код_від_вайфаю код_от_вайфая codigo_del_wifi codigo_wifi codice_wifi codice_del_wifi codigo_do_wifi wificode wifi-code wifi-koodi wpa-psk wpa-key wifikey wlankey netzschlussel netzwerkschluessel wlan-schluessel cle_wifi cle_wi-fi cle_wpa clave_wpa clave_wifi
        chiave_di_rete chave_de_rede klucz_sieci sifre_wifi wifi-sleutel sleutel natverksnyckel nyckel nokkel verkkoavain avain
        klic kulcs cheie κλειδι מפתח مفتاح कुंजी กุญแจ kunci khoa_wifi """,
    c.CODE: """
        rsa_token rsa_securid securid token_code tokencode soft_token hardware_token token_on_my token_on_the token_says ma_la ma_cua_em ma_cua_toi ma_cua_anh
        six_digits 6_digits six-digits sechs_ziffern seis_digitos six_chiffres sei_cifre 4-digit 6-digit 8-digit host_key host_pin host_code moderator_pin moderator_code moderator_key
        vertification_code verifcation_code verication_code verify_code auth_kod one-time-code onetime onetime_code single-use single_use
        single-use_code mtan smstan pushtan chiptan freigabecode bestatigungs-pin login-pin einmalpin einmal-pin pairing_code 2-step two-step 2-step_backup two-step_backup
        code_de_validation code_unique code_temporaire code_a_6 code_a_six code_de_connexion code_recu code_d'authentification
        codigo_de_un_uso codigo_de_inicio codigo_temporal codigo_dinamico clave_dinamica clave_de_un_solo codigo_de_login codigo_unico
        codigo_de_autentic* codigo_de_uso codice_temporaneo codice_monouso codice_di_sicurezza codice_di_conferma codice_di_sblocco
        kod_autoryz* kod_z_smsa kod_z_sms-a kod_z_aplikacji kod_logowania kod_uwierzyteln* kod_blik blik kod_jednorazowy
        verificatiecode bevestigingscode inlogcode eenmalige_code smscode sms-codes code_uit_de_app tancode verifieringskod inloggningskod
        bankid-kod engangskod engångskod bekraftelseskod bekreftelseskode engangskode bekræftelseskode vahvistuskoodi tunnusluku
        overovaci_kod jednorazovy_kod potvrzovaci_kod hitelesito_kod egyszer_hasznalatos cod_unic cod_de_confirmare kod_za_potvrdu
        giris_kodu onay_kodu guvenlik_kodu sms_sifresi tek_seferlik tek_kullanimlik kode_konfirmasi kode_masuk kode_rahasia
        код_для_входу код_підтвердження код_с_телефона код_из_приложения код_с_приложения код_из_пуша код_подтверждения код_активац*
        κωδικος_μιας κωδικος_επιβεβ* κωδικος_sms رمز_التحقق رمز_لمرة كود_التفعيل كود_التأكيد קוד_חד קוד_כניסה קוד_אימות סמס
        ワンタイムパス 認証番号 確認番号 短信码 短信验证码 一次性密码 动态密码 动态口令 二次验证 安全码 简讯 인증_코드 인증_번호 일회용 보안코드 보안_코드 승인번호
        एक_बार सत्यापन รหัสยืนยัน รหัส_sms รหัสโอทีพี """,
    c.PIN: """ pin-код pin-коду pin_код pukcode puk-code puk-nummer kartenpin karten-pin geheimzahl geheimnummer pincodes codigo_secreto_de pin_de pin_del pin_della pin_van pin_od pin_do
        pin_sim tarjeta_pin numero_secreto code_secret code_confidentiel tajny_kod bankomatkod пинкод пін-коду пинкода pincodet pin-koden
        pinkoden pinul pin'im pin'i 密碼鎖 取款密码 支付密码 锁屏密码 핀번호 핀_번호 ピン番号 ピンコード 暗証 รหัสเอทีเอ็ม """,
    c.LOCK: """
        lockbox lock_box key_box keybox key_safe keysafe key-safe lock-box door-code gate-code entrance_code building_code_is access_code access_pin
        alarm_off alarm_off: disarm_pin arm_code arming_code disarm_code disarm* unarm panic_code duress_code burglar_alarm alarm_panel intruder_alarm phone_unlock unlock_code unlock_pin
        screen_lock lockscreen lock_screen ipad_code phone_code phone_pin tablet_code tablet_pin bike_lock code_to_the code_for_the_back
        code_for_the_front code_for_the_side code_for_the_server code_for_the_shed code_for_the_store code_for_the_lockbox code_for_the_garage
        code_for_the_bike code_for_the_parking code_for_the_barrier code_for_the_cabinet schlusselkasten schlusseltresor schlusselsafe schlusselbox
        torcode turpin tur-pin alarmcode alarm-code alarmpin alarm-pin garagencode zugangscode zutrittscode eingangscode hauscode kellercode
        unscharf scharfschalten entsperrcode entsperr-pin sperrcode handycode kofferschloss fahrradschloss
        code_portail code_immeuble code_entree code_d'entree code_alarme code_coffre code_parking code_garage code_du_garage code_du_local
        code_de_l'immeuble code_de_la_boite boite_a_cles code_de_deverrouillage cadenas code_pour_entrer code_pour_la_porte
        clave_de_la_puerta codigo_de_acceso_al codigo_puerta codigo_alarma codigo_garaje codigo_del_garaje codigo_de_la_caja codigo_caja
        caja_fuerte candado codigo_del_candado codigo_de_desbloqueo codigo_del_parking codigo_portal pin_alarma
        codice_porta codice_portone codice_cancello codice_del_portone codice_di_sblocco lucchetto cassaforte citofono codice_garage
        codigo_porta codigo_portao codigo_da_garagem codigo_cofre cofre cadeado codigo_de_desbloqueio codigo_do_predio
        kod_bramy kod_furtki kod_do_furtki kod_alarmu kod_sejfu kod_klatki kod_do_garazu kod_wejsciowy sejf klodka domofon
        voordeurcode poortcode kluiscode toegangscode sleutelkluis kluis hangslot portcode deurcodes
        larmkod dorrkod dorrkoden portkoden larmkoden kassaskap kassaskåp hanglas alarmkode dorkode portkode ovikoodi halytyskoodi
        kod_od_vrat kod_ke_dveri kod_ode_dveri kapukod riasztokod codul_de_la_usa codul_alarmei interfon
        kapi_sifresi kapi_kodu alarm_sifresi kasa_sifresi kilit_sifresi asma_kilit kode_pintu kode_brankas kode_alarm kode_gembok
        код_от_подъезда код_подъезда код_на_двери код_двери код_домофона код_ворот код_от_ворот код_шлагбаума код_сейфа код_от_замка код_от_сигнал* код_сигнал*
        код_до_сейфа код_воріт код_від_воріт код_від_під'їзду код_під'їзду код_від_замка код_від_сигнал* код_на_вхід код_на_вход
        κωδικος_πορτας κωδικος_συναγερμου رمز_الباب كود_الباب رمز_الخزنة קוד_לדלת קוד_הדלת קוד_לכספת קוד_אזעקה קוד_בניין
        解錠番号 金庫の番号 金庫番号 玄関の番号 入口の番号 ロック解除 警報コード 門の番号 門禁 门禁码 门禁 门锁 大门密码 保险箱 保险柜 报警码 开门密码 单元门
        현관_비번 현관_비밀번호 현관비번 공동현관 금고 출입문 출입_번호 도어락 경비_해제 दरवाज़े_का รหัสประตู รหัสตู้เซฟ ma_so_cua ma_mo_cua ma_vao_cua ma_cong ma_bao_dong ma_ket_sat
        mat_khau_cua_chinh """,
    c.SHARING: """ press punch dial front_gate back_gate side_gate main_gate front_door back_door side_door main_door eingangstur haupttor drucke druck appuie pulsa marca premi набери нажми натисни bam """,
    c.BACKUP: """ backup_key* scratch_key* one-time_backup backup-keys recovery_pass* emergency_kit secret_key_is sicherungscode* rettungscode*
        wiederherstellungs-code* wiederherstellungs-schlussel codes_de_secours cle_de_recuperation code_de_secours clave_de_recuper* chiave_di_recupero
        chave_de_recuper* herstelcode* herstelsleutel aterstallningskod* reservkod* gjenopprettingskode* palautuskoodi* zalohovy_kod zalozni_kod*
        kurtarma_anahtar* yedek_kodlar kode_cadangan kode_pemulihan ключ_восстановления ключ_відновлення запасные_коды запасні_коди
        κωδικοι_εφεδρ* رموز_احتياطية קודי_גיבוי バックアップ_コード 回復キー 恢复密钥 备份码 备用验证码 복구키 복구_키 ma_du_phong khoa_khoi_phuc """,
    c.TOKEN: """ license_key licence_key product_key activation_key serial_key license_code lizenzschlussel produktschlussel lizenzkey aktivierungscode
        cle_de_licence cle_produit clave_de_producto clave_de_licencia chave_de_licenca codice_licenza licentiesleutel licensnyckel klucz_licencyjny
        klucz_produktu лицензионный_ключ ключ_продукта ключ_лицензии ліцензійний_ключ プロダクトキー ライセンスキー 产品密钥 序列号 激活码 제품키 제품_키 라이선스_키
        app_key app_secret secretkey accesskey webhook webhook_url hmac bearer_token pat personal_access instrumentation_key ikey connection_string
        zugriffsschlussel geheimschlussel api-schluessel schluessel zugangstoken clave_secreta clave_privada cle_secrete cle_privee cle_api cle_d'api
        chiave_segreta chiave_api chave_secreta chave_api chave_da_api klucz_api klucz_prywatny api-sleutel api-nyckel api_anahtari api-klic
        апи-ключ апи_ключ апи-ключа ключ_апи секретный_ключ секретний_ключ ключ_доступа приватный_ключ kunci_api khoa_api khoa_bi_mat
        مفتاح_api מפתח_api apiキー 秘密鍵 シークレットキー アクセスキー アクセストークン 私钥 访问密钥 访问令牌 密匙 액세스_토큰 시크릿_키 비밀키 """,
    c.SEED: """ 12_words 24_words twelve_words 12-word 24-word secret_recovery backup_phrase wallet_words wallet_backup cold_wallet trezor wiederherstellungsworter
        wiederherstellungssatz 12_worter 24_worter 12_palabras 24_palabras palabras_de_recuper* 12_mots 24_mots mots_de_recuper* parole_di_recupero 12_parole
        12_palavras 12_slow 12_woorden herstelzin 12_ord 12_kelime 12_слов 12_слів 24_слова 助記詞 助记词 恢复短语 リカバリーフレーズ 12の単語 시드구문 복구_단어 12_từ
        2fa_secret mfa_secret totp_secret totp_key totp_seed authenticator_key setup_key authenticator-schlussel """,
    c.LOGIN: """ sysadmin dba zugriff logindaten login-daten anmeldedaten kennung nutzer nutzername benutzername brukernavn anvandare anvandarnamn brugernavn kayttajatunnus
        tunnus inlog inloggen gebruiker gebruikersnaam uporabnik felhasznalo utilizator kullanici_adi giris pengguna nama_pengguna akun uzivatel
        usuário utilizador identifiants nom_d'utilisateur nome_utente credenziali credenciales credenciais zugangsdaten логін: учётка учетные_данные
        доступы доступи облікові id: ユーザ名 ユーザー名 用户 帐户 登录名 사용자 아이디는 حساب المستخدم משתמש उपयोगकर्ता ผู้ใช้ ชื่อผู้ใช้ """,
    c.CODE_WORD: """
        code codes codigo codigos codice codici kod kodu kody kodem kode kodenya koden kodet koda koodi cod codul kodas kods
        код кода коду кодом коды коди κωδικος κωδικο *code *codes *kod *kode *koden *koodi *kodu
        texted sms sms: смс смска смску sms-ка смской text_message texto mensaje_de_texto コード 代码 代碼 코드 קוד كود الكود कोड โค้ด รหัส 短信 문자 ショートメッセージ """,
}
