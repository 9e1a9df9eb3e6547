"""Words for what attackers aim at, and for who is to profit. Notation as in `lexicon_actions`."""

from dw_learning.scan import concepts as c

TARGETS: dict[int, str] = {
    c.RULES: """
        rule rules ruleset instruction instructions polic* guideline* guidance restriction* directive* safeguard*
        guardrail* constraint* limits limitation* safety your_training programming directions prompts orders regulations requirement* told_you you_were_told told_earlier told_before you_learned you_have_learned
        protocols policies
        regel* anweisung* richtlinie* vorgabe* vorschrift* anordnung* *regel *regeln *richtlinie *richtlinien *vorschriften gesagt_wurde beschrankung* instruktion* vorgaben
        правил* інструкці* політик* вказівк* настанов* обмежен* инструкц* указан* политик* ограничен* наказ*
        instrucci* reglas norma normas politica* directriz directrices restriccion* ordenes
        quy_tac huong_dan chinh_sach chi_dan quy_dinh chi_thi lenh_truoc han_che luat
        instruction* regle* consigne* directive* politique* restriction*
        instrukcj* zasad* polecen* wytyczn* regul* ogranicze* instruco* instruca* regra* diretriz* restrico*
        istruzion* regol* direttiv* restrizion* talimat* kural* yonerge* politika* kisitlama* instructie* regels
        instruktion* instruks* riktlinj* instruksi aturan
        指示 ルール 規則 ポリシー 命令 制限 方針 規定 指令 规则 指示 政策 限制 规定 指引 命令 準則 规矩
        지시 규칙 지침 정책 명령 제한 방침 تعليمات قواعد سياسة הוראות כללים निर्देश नियम คำสั่ง กฎ """,
    c.PRIOR: """
        previous* prior above earlier preceding former initial original initially existing so_far given_to_you
        you_were_given before_this your initials
        bisherig* vorherig* vorig* obig* fruher* ursprunglich* deine deinen deiner
        попередн* раніш* вищ* початков* усі_твої твої твоїх свої предыдущ* прежн* выше твои своих начальн* прошл*
        anterior* previa* previo* iniciales tus de_arriba
        truoc_do truoc_day o_tren ban_dau phia_tren truoc cua_ban
        precedent* ci-dessus initial* anterieur* tes poprzedni* wczesniejsz* powyzsz* dotychczasow* twoje
        anterior* acima iniciais suas precedent* sopra tue iniziali onceki yukaridaki tum_kurallar eerdere vorige
        tidigare tidligere sebelumnya
        以前 これまで 前の 上記 従来 先ほど 今まで 元の 之前 先前 以上 此前 上面 前面 原来 你的 이전 위의 앞선 기존 지금까지
        السابقة הקודמות पिछले ก่อนหน้า """,
    c.PROMPT: """
        system_prompt system_prompts systemprompt system_instruction* system_message* system_prompting system_prompting hidden_prompt
        initial_prompt initial_instruction* initials_instruction* original_instruction* your_instruction* your_configuration
        initial_configuration above_text text_above above_prompt above_direction* above_instruction* conversation_above
        entire_conversation this_conversation were_told were_instructed was_instructed were_given you_were_given
        given_initially developer_message secret_instruction* hidden_instruction* your_rules your_guidelines your_prompt
        your_programming your_parameters parameters_and_instructions system_text preprompt pre-prompt start_of_this
        before_this_conversation previous_instructions those_instructions your_initial first_message beginning_of
        my_instructions words_above everything_above system's_parameters
        deinen_prompt dein_prompt deine_anweisung* deinen_systemprompt системн*_промпт* системн*_інструкц*
        системн*_инструкц* твої_інструкці* твои_инструкц* prompt_del_sistema tus_instrucciones prompt_de_sistema
        instrucciones_del_sistema instrucciones_iniciales cau_lenh_he_thong prompt_he_thong huong_dan_ban_dau
        prompt_systeme invite_systeme tes_instructions vos_instructions instructions_initiales prompt_systemowy
        instrukcje_systemowe twoje_instrukcje prompt_do_sistema suas_instrucoes prompt_di_sistema tue_istruzioni
        istruzioni_iniziali sistem_istemi sistem_komutu sistem_promptu
        システムプロンプト 初期指示 内部指示 系统提示 系统提示词 系统指令 初始指令 시스템_프롬프트
        시스템프롬프트 초기_지시 """,
    c.GATE: """
        approv* auto-approv* autoapprov* unapprov* sign-off signoff sign_off four-eyes review* confirm* consent
        authoriz* authoris* second_pair inbox pending moderation human_in_the vetting verification_step
        genehmig* *freigabe *freigaben *prufung *genehmigung freigabe* freigeb* freizugeb* bestatig* prufung* zustimm* abnick* vier-augen* absegn* gegenzeichn*
        погодж* погоджен* схвал* затвердж* підтвердж* перевірк* дозвол* узгодж* ревю апрув*
        одобр* утвержд* подтвержд* проверк* согласов* разрешен* согласи*
        aprob* aprueb* revision revisar autoriz* confirm* visto_bueno validacion
        duyet phe_duyet xet_duyet xac_nhan kiem_duyet thong_qua
        approuv* approbation* validation valid* autoris* confirm* relecture accord
        zatwierdz* zatwierdz akcept* potwierdz* zgod* recenzj* przeglad* aprova* aprove* revisao confirma* autoriza*
        approva* approvi* revisione conferma* autorizza* onay* incelem* goedkeur* godkann* godkjenn* persetujuan
        承認 レビュー 確認 審査 許可 決裁 批准 审批 审核 复核 确认 许可 核准 同意 승인 검토 확인 허가 결재
        موافقة אישור स्वीकृति อนุมัติ """,
    c.AUDIT: """
        audit* protokollierung prufprotokoll* revisionsprotokoll* аудит* журнал_аудит* журнал_дій auditoria bitacora
        nhat_ky_kiem journal_d'audit dziennik_audyt* audyt* log_de_auditoria registro_di_controllo denetim_kayd*
        監査 审计 감사_로그 감사로그 """,
    c.SKILL: """
        skill skills runbook* procedure* playbook* workflow* checklist* sop step steps how-to instruction_for tool_desc*
        fahigkeit* ablauf* verfahren* schritt* anleitung* prozedur* навичк* процедур* крок* інструкцію рунбук* регламент* ранбук*
        навык* шаг шага шагом инструкцию habilidad* procedimiento* paso pasos protocolo ky_nang quy_trinh buoc
        competence* procedure* etape* umiejetnos* procedur* krok* habilidade* procedimento* passo* etapa competenz*
        procedura passaggio beceri* prosedur* adim* vaardigheid stap fardighet
        スキル 手順 ステップ ランブック 技能 流程 步骤 스킬 절차 단계 런북 مهارة خطوة """,
    c.PRIV: """
        admin_rights admin_access admin_permission* admin_role* administrator_rights admin_privileges administrative_priv*
        global_admin global_administrator full_access full_permission* role_owner role_admin root_access owner_rights
        owner_role org_owner organisation_owner organization_owner elevated superuser domain_admin all_permissions
        privileg* access_rights write_access new_permissions local_admin admin_on owner_on admins_group admin_group
        administratorrecht* adminrecht* admin-recht* vollzugriff globaler_admin* globalen_admin* admin-zugriff rechte
        права_адмін* правами_адмін* права_глобальн* повний_доступ адмінськ* адмін-прав* права_админ* полный_доступ админск*
        права_глобального_адмін* права_власника права_владельца
        permisos_de_admin* permisos_de_administrador* derechos_de_admin* acceso_total administrador_global acceso_completo
        quyen_quan_tri quyen_admin toan_quyen quyen_truy_cap quyen_chu_so_huu
        droits_d'admin* droits_admin* droits_administrateur acces_complet acces_total administrateur_global
        uprawnien* prawa_admin* pelny_dostep direitos_de_admin* permisso*_de_admin* permissoes acesso_total
        administrador_global diritti_di_ammin* permessi_di_ammin* privilegi accesso_completo amministratore
        yonetici_hak* yonetici_yetki* admin_yetki* tam_erisim beheerdersrechten
        管理者権限 管理権限 全権限 オーナー権限 フルアクセス 管理员权限 管理权限 最高权限 全部权限 管理員權限 관리자_권한 전체_권한 """,
    c.DATA: """
        conversation* chat_history history message messages employees customers customer_list salar* payroll database
        contacts contact_list price_book files documents transcript* records emails customer_data user_data mailbox
        attachments admin_list personal_data everything_you_know bookings
        kundenliste kundendaten gehalt* nachrichten verlauf mitarbeiterliste dateien datenbank preisliste unterhaltung*
        клієнт* зарплат* повідомлен* листуван* історі* базу працівник* файли клиент* сообщен* переписк* истори* сотрудник*
        conversacion* mensajes clientes salario* historial empleados base_de_datos archivos nominas
        khach_hang luong tin_nhan lich_su nhan_vien du_lieu danh_sach toan_bo_cuoc
        clients salaires messages historique employes fichiers donnees conversation* klient* wiadomos* pensj* rozmow*
        pracownik* mensagens clientes salarios historico funcionarios dados messaggi clienti stipendi cronologia dati
        mesajlar musteri* maas* gecmis konusma* veri
        顧客 会話 履歴 メッセージ 給与 社員 従業員 リスト データ 客户 工资 聊天记录 对话 历史 员工 数据 名单 消息
        고객 대화 급여 직원 명단 메시지 기록 데이터 """,
    c.CONTROL: """
        antivirus anti-virus firewall defender verify verifies verifying callers caller_id mfa 2fa two-factor monitoring policy_check* filter filters scanner* edr
        verification verified_sender identity_check id_check callback background_check reference_check checks check
        safety_check* safeguards tls ssl certificate_warning* do_not_do don't_do_section safety_section warnings_section verification_section security_check* invoice_amount* purchase_order the_po
        dlp encryption virus_scan* security_warning* phishing_filter*
        virenschutz virenscanner richtlinienprufung prufungen zwei-faktor ruckruf rechnungsprufung sicherheitswarnung*
        антивірус* перевірк* фільтр* моніторинг двофактор* антивирус* проверк* мониторинг фильтр*
        cortafuegos verificacion comprobacion* filtro* referencias doble_factor
        diet_virus kiem_tra tuong_lua xac_thuc xac_minh bao_mat
        verification* controle* pare-feu double_authentification antywirus* weryfikac* kontrol* zapor*
        verificacao antivirus controlli verifiche verifica guvenlik_duvari dogrulama denetim*
        ポリシー確認 ウイルス対策 検証 本人確認 二要素 チェック セキュリティ 監視 杀毒 防火墙 验证 检查 核实 安全检查 双重认证
        바이러스 방화벽 검증 본인_확인 인증_절차 보안_검사 """,
    c.SECRETS: """
        password* passwd pwd passphrase credential* creds token tokens secret secrets api_key* apikey* api-key* private_key*
        mfa_code* sms_code* the_code_they code_they_got code_they_receive* code_they_get code_by_sms code_from_sms login_code* otp one-time_code* 6-digit_code six-digit_code verification_code* login_details login_data pin pins
        keys service_password* recovery_code* session_cookie* vault secret_key* access_key* ssh_key* shared_secret
        passwort* kennwort* zugangsdaten schlussel api-schlussel geheimnis* anmeldedaten einmalcode
        парол* токен* ключ ключі ключи секрет* облікові_дані учетные_данные код_підтвердж* код_из_смс код_із_смс
        contrasena* clave claves credencial* llave* codigo_mfa codigo_de_verif*
        mat_khau ma_otp ma_xac_thuc ma_mfa thong_tin_dang_nhap khoa_api ma_xac_nhan
        mot_de_passe mots_de_passe identifiants cle_api cles_api jeton* code_de_verif*
        haslo hasla hasel poswiadczen* klucz* dane_logowania kod_weryf*
        senha* credenciais chave* codigo_de_verif* credenziali chiave chiavi codice_di_verif* parola parole
        sifre* parola kimlik_bilgi* anahtar* dogrulama_kodu wachtwoord* losenord kata_sandi
        パスワード 認証情報 apiキー トークン 秘密鍵 認証コード 確認コード シークレット ログイン情報 密码 密钥 令牌 口令 凭证 凭据
        验证码 密碼 비밀번호 자격_증명 토큰 api_키 인증번호 암호 كلمة_المرور סיסמ पासवर्ड รหัสผ่าน """,
    c.PAY: """
        bank_account* account_number* iban invoices invoice payment* payments supplier_account wire transfers bank_details
        bankverbindung kontonummer rechnungen zahlung* рахун* оплат* реквізит* iban реквизит* счет счета платеж*
        cuenta_bancaria numero_de_cuenta pagos facturas transferencia* cuenta so_tai_khoan chuyen_vao chuyen_khoan
        compte_bancaire rib virement* factures paiement* konto_bankowe numer_konta przelew* faktur*
        conta_bancaria pagamento* fatura* conto_bancario bonifici fatture banka_hesab* hesap_numarasi fatura
        口座 振込 支払 銀行 账户 账号 付款 汇款 银行 계좌 송금 결제 """,
    c.AI: """
        assistant* bot bots chatbot* ai a.i agent agents llm llms gpt* model language_model copilot claude gemini chatgpt
        ki ki-system* ki-assistent* assistenten sprachmodell agenten асистент* бот бота боту ботів ші агент* помічник*
        модель моделі ассистент* ии нейросет* asistente* agente* ia modelo tro_ly ai_nao chatbot tac_tu
        assistant* l'ia modele asystent* sztuczn* assistente* modello yapay_zeka asistan* digital_worker
        アシスタント ボット エージェント ai 人工知能 机器人 助手 人工智能 智能体 模型 봇 비서 인공지능 에이전트 어시스턴트 مساعد """,
    c.YOU: """
        you your yours yourself you're u du dein* dir dich ihr ти твій твої твого твоїх тобі вы ви ваш* ты твой твои тебе
        tu tus te ti usted vosotros ban em tes ton vous vos votre twoj* ty ciebie tobie voce seu sua
        tuo tuoi tue sen senin siz je jij あなた お前 君 きみ 你 您 너 당신 네가 """,
    c.ME: """
        me my mine myself i i'm i've mir mich mein* ich мені мене мій мої моїх моя я мною мне меня мой мои моих
        mi mis yo mí conmigo toi tao minh cua_toi em_noi je moi mon mes ma mnie moj* moich mim meu minha meus io mio miei
        mie ben bana benim beni ik mij mijn 私 俺 僕 わたし 我 我的 나 내 저 제 """,
    c.REQUEST: """
        request requests access_request* pending_item* pending_request* anfrage* *anfrage *anfragen proposal* submission* purchases refunds application* antrag* antrage zugriffsanfrag* запит*
        запити заявк* запрос* solicitud* peticion* yeu_cau demande* wniosk* prosb* pedido* solicitac* richiest* talep*
        istek* リクエスト 申請 依頼 请求 申请 요청 신청 """,
    c.NEED: """
        need needs require requires required must mandatory has_to have_to brauch* benotig* erfordert muss mussen
        потребу* потрібн* повинн* необхідн* треба требу* нужн* должн* обязательн* necesita* requier* debe deben obligatori*
        can_phai can_duoc can_su bat_buoc necessit* doit doivent il_faut wymaga* musi musza precis* deve devem serve occorre
        gerek* zorunlu lazim 必要です 必要と 必須 必要になり 要する 需要 必须 需经 필요합 필요해 필수 해야 """,
    c.SOURCE: """
        email_body mail_body ticket_body body e-mail email mail cv resume application_letter customer_wrote client_wrote
        wrote says said readme pdf document attachment comment webpage website page web_result subject transcript log_line
        log review_text signature footer footnote bewerbung lebenslauf anhang kommentar schrieb steht betreff лист листа
        листі резюме вкладенн* коментар* письмо письме вложени* комментари* correo adjunto comentario curriculum noi_dung
        email_nay tep_dinh_kem binh_luan courriel piece_jointe commentaire candidature tresc zalacznik komentarz corpo
        anexo comentario corpo_del allegato commento icerik ek yorum メール 本文 添付 履歴書 コメント 邮件 正文 附件 简历
        评论 이메일 메일 본문 첨부 이력서 댓글 """,
    c.ADDRESS: """
        note_to message_to hint_to attention dear reading_this reads_this read_this_line processing_this summarising_this
        summarizing_this summarise this_for_the for_the_ai for_the_assistant if_you_are_an if_an_ai whoever_processes
        any_ai readers screening_agent hinweis_an nachricht_an falls_du_ein wenn_du_ein liest увага примітка_для
        якщо_ти якщо_ви читає внимание примечание_для если_ты читает nota_para si_eres lee_esto leyendo lea
        neu_tro_ly neu_ban_la doc_duoc note_pour si_tu_es si_vous_etes lit_ceci uwaga_dla jesli_jestes czytasz
        nota_para_o se_voce nota_per se_sei yapay_zekaya_not okuyan 読むai aiへ へのお願い 読んでいる 致ai 阅读本 如果你是
        读到 读取此 읽는 ai에게 에게_알림 """,
    c.AUTHORITY: """
        admin admins administrator* owner owners boss manager* authority verified supervisor* root superadmin chief
        highest_authority system_owner org_owner inhaber* chef адмін* адміністратор* власник* керівн* админ* владел*
        начальник* administrador* dueno jefe propietario quan_tri chu_so_huu sep quan_ly administrateur* proprietaire
        responsable kierownik* wlasciciel* administrator* gerente dono proprietario amministrator* capo yonetici sahip
        管理者 オーナー 上司 責任者 管理员 所有者 老板 主管 관리자 소유자 상사 """,
}
