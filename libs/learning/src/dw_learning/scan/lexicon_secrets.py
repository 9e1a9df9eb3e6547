"""Further words beside secrets. Notation as in `lexicon_actions`."""

from dw_learning.scan import concepts as c

SECRET_TALK: dict[int, str] = {
    c.PASSWORD: """
        secret_word magic_word codeword losungswort kodewort keyphrase pass_word passwd: unlock_phrase passwortsatz losenord* adgangskod* passordet wachtwoordzin wachtwoorden
        lozinka lozinku sifra heslem hasłem jelszava salasanan κωδικός κωδικού parolei parolă slaptazodis parool
        κωδικο* парола паролата лозинка lösen סיסמת הסיסמא ססמה ססמא गुप्तशब्द कूटशब्द পাসওয়ার্ড رمز_عبور گذرواژه کلمه_عبور
        คีย์ พาสเวิร์ด sandi kata_laluan пароля_нов secret_answer security_answer """,
    c.WIFI_KEY: """ wpa2 wpa3 hotspot netzwerkschlussel ключ_від ключ_от wlan-key wifi-key """,
    c.CODE: """
        okta_code 4-digit_code 6-digit_code 8-digit_code six-digit_code digit_code code_just_came code_came_in code_i_got code_is_asking code_recu* code_que_j'ai_recu code_par_sms code_de_connexion code_recu_par codigo_recib* codigo_que_me codigo_de_inicio
        codice_ricevut* codice_via_sms codice_di_accesso codigo_recebid* codigo_que_recebi code_uit_de_sms sms-kode engangskode
        engangskod kertakayttokoodi egyszeri_kod jednorazov* cod_de_verif* codul_de_verif* κωδικός_επαλήθ* kode_verifikasi kode_otp
        code_by_text code_from_text sign-in_code sign_in_code signin_code passcode duo_code duo_passcode duo push_code magic_code
        anmeldecode logincode login-code bestatigungs-code einmal-code код_входу код_входа код_для_входу код_для_входа код_з_пошти
        код_из_письма ma_xac_minh ma_vua_nhan ma_gui_ve ログインコード パスコード 登录码 登录验证码 登入碼 로그인_코드 كود_التحقق
        رمز_الدخول رمز_التأكيد सत्यापन_कोड ओटीपी รหัส_otp รหัสยืนยัน """,
    c.PIN: """ puk pin-koodi pinkode pinkod pin-kode código_pin رقم_سري รหัสพิน pin-nr """,
    c.LOCK: """ safe locker padlock
        keypad gate_keypad door_pin alarm_pin lift_code elevator_code locker_code padlock combination_lock safe_combo combo_is
        safe's_combination safe_combination vault_combination combination_of_the combination_for_the code_of_the_door
        code_for_the_gate code_for_the_alarm code_for_the_lock code_of_the_safe code_for_the_lift garage_code entry_pin
        turcode tur-code haustur* toreingang alarmanlage tresor zahlencode safe-code kombination_vom
        код_дверей код_до_дверей код_воріт код_сейфа код_домофона код_подъезда pin_de_la_alarma clave_de_la_alarma codigo_del_porton
        code_du_portail code_du_digicode digicode code_du_coffre codice_del_cancello codice_cassaforte codigo_do_portao codigo_do_cofre
        kod_do_bramy kod_do_klatki kod_domofonu deurcode alarmcode dorrkod portkod """,
    c.SHARING: """ opens enter type unlock decrypt unzip gib eintippen entsperr* saisis* tape tapez introduce teclea digita wpisz введи введіть введите nhap """,
    c.LOGIN: """ admin root administrator administrador administrateur superuser sign_on log_on log_in logon einloggen anmelden zaloguj connecte-toi connectez-vous entra_con accedi entre_com заходь заходи
        logga_in """,
}
