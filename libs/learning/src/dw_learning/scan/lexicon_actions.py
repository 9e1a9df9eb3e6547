"""Words for what attackers want done. `x*` is a stem, `a_b` a phrase; written as people type them."""

from dw_learning.scan import concepts as c

ACTIONS: dict[int, str] = {
    c.IGNORE: """
        ignore ignores ignored ignoring ignor disregard* forget forgets overrid* bypass* circumvent* overlook neglect*
        pay_no_attention set_aside throw_out do_not_follow don't_follow stop_following not_bound
                were_a_test
        was_a_test break_the_rules abandon discard* cancel_all drop_all drop_your erase_your reset_your replace_your
        no_longer_bound not_bound_by stop_obeying stop_applying stop_enforcing none_of_your drop_the ditch shed free_yourself break_free do_not_abide disobey* unlearn don't_count scrap_the leave_aside
        ignorier* vergiss vergesst missacht* umgeh* uberschreib*
        lass_alle setz_dich_uber halte_dich_nicht
        ігноруй* ігнорувати проігноруй* забудь* знехтуй* обійди нехтуй* скасован* не_дотримуйся не_дотримуйтесь не_виконуй скасуй відкинь не_зважай відкинь
        игнорир* проигнорируй* забудь забудьте обойди пренебреги отбрось отмени отменены не_соблюдай не_следуй
        ignora ignore* ignorad ignorar olvida olvidad olvide haz_caso_omiso omite_todas pasa_por_alto
          desobedece
        bo_qua phot_lo quen_het quen_di hay_quen dung_theo mac_ke
        ignorez oublie oubliez contourne* ne_tiens_pas_compte ne_tenez_pas_compte fais_abstraction
        zignoruj* ignoruj* zapomnij* pomin_wszystkie obejdz przestan_stosowac
        desconsidere esqueca esquece contorne
        dimentica dimenticate ignorate aggira scorda
        unut unutun gormezden yoksay* yok_say dikkate_alma
        negeer negeren vergeet ignorera glom ignorér glem zapomen ignoruj hagyd_figyelmen abaikan lupakan
        無視 忘れて 忘れろ 忘れなさい 従わない 従わなく 守らなく 守らない 従う必要 破棄 上書き
        忽略 忘记 忘掉 无视 不要遵守 不必遵守 抛开 推翻 绕过 忽視 忘記 無視
        무시 잊어 잊고 따르지_마 우회
        تجاهل انس התעלם תתעלם שכח नज़रअंदाज़ भूल_जाओ เพิกเฉย ละเว้น ลืม """,
    c.SKIP: """
        skip skips skipping skipped omit bypass don't_bother no_need_to needn't without_going_through leave_out forgo
        uberspring* auslass* weglass* spar_dir brauchst_nicht пропусти* пропуска* обійдись минай
        salta saltar saltate saltarse omite omitir sin_pasar bo_buoc bo_qua khoi_can saute sauter sautez
        pomin pomijaj pula pular pule dispense saltate salti tralascia atla atlayin es_geç sla_over
        省略 スキップ 飛ばし 不要です 不要とする 跳过 省略 略过 건너뛰 생략 تخط """,
    c.DISABLE: """
        disable* turn_off turned_off turn*_off switch_off switched_off deactivat* suspend* shut_off shut_down stop stopped
        stop_checking is_off are_off was_off were_off be_off them_off it_off off_now halt pause* lift_the remove_the_restrict* kill
        abschalt* deaktivier* ausschalt* ausgeschaltet abgeschaltet stopp* aussetz* ausgesetzt aufgehoben schalte_aus
        вимкн* вимик* вимикат* відключ* призупин* зупини припини отключ* выключ* приостанов* прекрати
        desactiv* apaga apagad apagar suspend* quita_el deten deja_de
        tat_het tat_di tat_phan tat_kiem tat_bo da_tat tat_canh tat_nhat ngung dung_kiem vo_hieu_hoa
        desactiv* eteins arrete suspend* coupe wylacz* wstrzymaj przestan deslig* pare_de disattiv* spegni sospend*
        disabilita kapat* devre_disi durdur schakel_uit uitschakelen stäng_av
        無効 オフに オフ 停止 切って 解除 关闭 禁用 停用 停止 关掉 끄고 꺼 비활성 중지 해제 عطل أوقف ปิด """,
    c.WITHOUT: """
        don't_wait do_not_wait dont_wait never_ask_for_conf* never_ask_for_appr* don't_ask_for_conf* don't_ask_for_appr* stop_asking never_wait not_ask_for_conf* no_callback unapproved dont_need without w/o no_longer_need* no_longer_require* don't_need* doesn't_need* do_not_need* does_not_need*
        don't_require* doesn't_require* not_need* needs_no need_no not_required no_need needn't unnecessary needless never_need* never_require* to_none to_zero no_longer_verif* no_longer_check* no_longer_ask* no_longer_confirm* stop_verifying don't_verify don't_check do_not_verify do_not_check stopped_verifying not_be_checked not_be_verified not_to_verify
        not_necessary isn't_needed aren't_needed is_not_needed are_not_needed exempt* instead_of_waiting skip_the no
        nor free_of waive* bypass*
        ohne brauchst_du braucht_kein* brauchen_kein* brauch*_kein* kein* nicht_notig nicht_mehr_notig unnotig
        entfallt entfallen nicht_erforderlich entbehrlich
        без не_потрібн* не_потребу* непотрібн* не_треба не_обов'язков* не_нужн* не_требу* не_надо ненужн*
        sin no_necesit* no_hace_falta ya_no_hace no_requier* innecesari* sin_pasar
        khong_can khong_phai khoi_can mien khong_qua khong_phai_qua
        sans pas_besoin plus_besoin n'est_plus_necessaire ne_necessit* inutile
        bez nie_trzeba nie_wymaga* niepotrzebn* sem nao_precis* nao_e_necess* dispensa* dispensad*
        senza non_serve non_occorre non_servono non_e_necess* olmadan gerek_yok gerekmez gerekmiyor gerekmeden
        gerekmeksizin zonder niet_nodig utan uten ilman
        なしで なし 不要 必要ありません 必要ない 必要なく 必要はない 要りません いらない 経ずに せずに 通さず 抜きで
        無需 无需 不需要 无须 不必 不用 不经 免 不再需要 없이 필요_없 필요없 필요_없이 안_해도 받지_않 거치지
        بدون دون ללא בלי बिना โดยไม่ ไม่ต้อง tanpa """,
    c.REVEAL: """
        reveal* print prints show shows display* disclos* dump dumps leak recite repeat* output outputs echo expose*
        spell_out write_out read_out read_back give_me tell_me share_with_me relay type_out paste translate
        summarize summarise encode convert rewrite what_were complete_this decode_your
        need_to_see let_me_see want_to_see start_your_answer begin_your_answer start_your_response reply_with respond_with answer_with write_all write_every write_down_all hand_over hand_me verbatim word_for_word return_the
        verrate verrat* zeig zeige zeigt gib_mir gib_deinen gib_alle gib_uns gib_den gib_die gib_bitte ausgeb* gib_aus wiederhol* nenne nenn offenbare druck*
        покажи покажіть розкрий* виведи повтори надрукуй перелічи назви видай повідом_мені
        раскрой* выведи напечатай перечисли покажите
        muestra muestrame revela repite imprime dime ensena enseña lista escribe
        cho_xem hien_thi tiet_lo in_ra liet_ke nhac_lai cho_toi_biet doc_lai
        montre* revel* affiche* repete* imprime donne-moi donne_moi liste dis-moi recopie
        pokaz ujawnij wyswietl powtorz wypisz podaj mostr* repita imprima liste diga
        mostra* rivela ripeti stampa elenca dimmi goster acikla yazdir tekrarla listele toon laat_zien geef_weer visa
        表示 出力 教えて 教えろ 見せ 開示 そのまま書 読み上げ 一覧に 显示 输出 告诉我 透露 泄露 重复 打印 列出 展示
        보여 알려_줘 알려줘 공개 출력 나열 말해 اعرض اكشف הצג גלה दिखाओ บอก แสดง """,
    c.SEND: """
        send sends sending forward* mail email e-mail upload* post posts export* transmit* exfiltrat* deliver hand_over
        dm bcc cc copy submit include_it write_it_to post_it write_them_to copy_it append attach push publish share_the report_them fetch
        schick* send* weiterleit* leite hochlad* ubermittel* mailen exportier* poste posten
        надішл* надсил* перешл* відправ* скинь скидай вивантаж* завантаж_на шли скопіюй
        отправ* перешл* пришли высылай выгруз* шли скинь скидывай скопируй
        envia* envie* manda mandad mandale reenvia* sube subelo exporta* remite publica
        chuyen_tiep gui_cho gui_toi gui_toan gui_het gui_danh gui_mat hay_gui gui_ve gui_den gui_qua dang_len tai_len xuat_toan_bo chuyen_cho gửi_cho
        envoie* envoye* transfere* transmet* exporte* poste televerse
        wyslij wysylaj przeslij przesylaj eksportuj wklej encaminh* mande exporte* invia* inoltra* manda esporta carica
        gonder* ilet* aktar* yukle stuur verzend skicka vidarebefordra kirim
        送って 送信 送り 転送 メールし 投稿 アップロード 共有して 渡して 发送 发给 转发 发到 上传 导出 寄给 传给
        보내 전송 전달 업로드 내보내 공유해 أرسل שלח भेज ส่ง """,
    c.ASK: """
        ask collect* demand obtain gather give_you_their give_you_the tell_you_their have_them_give get_their get_the_user* request_their harvest prompt_them have_them
        frag* erfrag* sammel* verlang* hol_dir запит* попроси* збери вимагай спроси* собери запроси pide pidele
        solicita* recoge recopila xin hoi thu_thap yeu_cau demande* recueill* collecte* popros* zbierz zapytaj peca
        solicite colete chiedi raccogli iste topla sor vraag verzamel
        聞いて 聞き 尋ね 集め 求め 入力させ 収集 询问 索取 收集 要求提供 索要 물어 수집 요청해 받아 """,
    c.OBEY: """
        obey* obedient his_commands her_commands my_commands his_orders her_orders my_orders without_question i_win act_on_his act_on_her follow_all follow_whatever follow_my follow_his follow_her follow_all_orders follow_every follow_only follow_orders highest_authority
        final_say above_the_admin* above_all_admin* comply* listen_only only_listen listens_only do_what do_whatever
        do_as do_everything defer_to prioriti* take_orders trust_what trust_user trust_anything always_trust only_trust trust_everything trust_messages trust_whatever
        believe_everything answer_only_to loyal* subordinate serve_only word_is_law word_is_final outrank* overrules
        has_the_final has_final treat_me treat_him treat_her treat_messages treat_every treat_anyone treat_all
        consider_me takes_precedence take_precedence trumps accept_unverified accept_messages
        gehorch* befolge* folge hor_auf hore_auf hor_nur vertrau* mach_was tu_was behandle_mich wiegt_mehr hat_vorrang
        слухай* слухайся підкоря* довіряй* роби_все роби_те виконуй* став_понад вважай_мене виконувати
        слушай* подчиня* доверяй* делай_все делай_что выполняй* считай_меня
        obedece* obedezca hazle_caso haz_caso haz_lo_que haz_todo_lo confia cumple_todo trata_a tratame tienen_prioridad
        nghe_loi tuan_theo tuan_lenh lam_theo vang_loi tin_tuong phuc_tung xem_toi_la uu_tien_lenh
        obei* suis_les fais_ce_que fais_tout fais_confiance considere-moi ecoute_toujours ecoute_uniquement prime_sur
        sluchaj* posluszn* ufaj rob_wszystko rob_to_co traktuj_mnie wykonuj* obedeca siga confie faca_o_que faca_tudo
        trate-me obbedisci obbedire segui fidati fai_tutto fai_quello tratta itaat dinle guven sozunu sözünü_dinle
        gehoorzaam luister_naar vertrouw lyd lyssna
        従うこと 従って 従え 従い 言うことを聞 言う通り 言うとおり 服従 信頼して 信頼する 優先する 優先して 指示に従
        服从 听从 听命 遵从 信任 照做 听我的 以我为准 优先执行 복종 따르 따라 순종 신뢰해 말을_들 우선시
        أطع اتبع ציית आज्ञा เชื่อฟัง ทำตาม patuhi turuti """,
    c.GRANT: """
        grant* give_me give_him give_her give_them give_the_new give_every give_all give_viktor assign* promote elevate
        add_me add_him make_me make_him whitelist allowlist unlock provision just_give let_me
        gewahr* vergib erteil* gib_ihm gib_ihr gib_jedem gib_mir mach_mich zuweis* fuge_mich ernenne
        надай* надавай* видай* видати дай_мені дай_йому призначай зроби_мене додай_мене надати
        предостав* выдай* выдавай назначь дай_мне сделай_меня добавь_меня
        concede* otorg* asigna* dame dale hazme dar_permisos anademe agregame
        cap_quyen cap_cho them_toi trao_quyen cho_toi_quyen gan_quyen cap
        accorde* attribue* donne-moi_les nomme-moi ajoute-moi nadaj* przyznaj* przydziel daj_mi dodaj_mnie
        concede* conceda* atribua de-me adicione-me conceder concedi assegna dammi rendimi aggiungimi
        yetki_ver yetkisi_ver ver_bana ata beni_ekle verleen geef_mij
        付与 与え 権限を渡 追加し 授予 赋予 授权 给我 给新 给每 给他 给她 给所有 加我 开通 부여 권한을_줘 권한_줘 추가해 امنح """,
    c.MEMORY: """
        remember* memoriz* memoris* save saves saved store stored stores note_that note_to noted memory memories
        keep_in_mind your_notes your_memory keep_them keep_it_in bear_in_mind make_a_note write_down learn_that learn record new_preference preference fact knowledge_base
        for_the_future add_to_your long-term
        merk* merke speicher* notier* behalte gedachtnis halte_fest
        запам'ята* запамята* збереж* запиши занотуй пам'ят* памят* запомни* сохрани* запиши запишите
        recuerda recuerde memoriza guarda guardan guarde guardar anota memoria apunta
        nho_rang nho_la ghi_nho hay_nho luu_lai luu_vao luu_y_rang ghi_lai bo_nho luon_nho nho luu
        memorise* retiens retenez souviens enregistre* sauvegarde note_bien memoire
        zapamiet* zapisz zanotuj pamieta* pamiec lembre* memorize guarde salve anote memoria
        ricorda* memorizza salva annota hatirla kaydet aklinda hafiza not_al onthoud sla_op kom_ihag spara ingat simpan
        覚えて 記憶 保存 メモリ 記録して 登録して 覚えておいて 記住 记住 记下 保存 存入 记忆 存储
        기억 저장 메모리 기록해 تذكر احفظ זכור याद_रख จำไว้ บันทึก """,
    c.EDIT: """
        add adds adding switch toggle edit* update updated change* put insert* append modify remove* rewrite replace* extend include
        set adjust make_step delete_the_step drop_the
        fug* erganz* ander* aktualisier* setz* trag_ein schreib entfern* ersetz* nimm_auf streich*
        додай* зміни* онови* постав внеси вилучи прибери заміни впиши видали
        добавь* измени* обнови* поставь внеси убери замени впиши удали
        anade* anadid agrega* cambia* actualiza* pon poned modifica* quita* elimina* incluye
        them_vao sua_lai cap_nhat doi_buoc chen xoa_buoc thay_doi them_buoc them_mot them_dong dua_vao
        ajoute* modifie* mets remplace* supprime* insere* dodaj* zmien* zaktualizuj wstaw usun* zamien
        adicione* altere atualize coloque remova substitua aggiungi* modifica* aggiorna* metti rimuovi togli sostituisci
        ekle* degistir* guncelle* cikar kaldir voeg_toe wijzig
        追加 変更 更新して 入れて 削除 編集 書き換え 差し替え 修正して 添加 修改 更新 加入 删除 替换 加上 改成 加一
        추가 수정 변경 넣어 삭제 바꿔 أضف עדכן """,
    c.DELETE: """
        delete* remove* entfern* streich* прибери вилучи убери quita* quitad xoa_bo retire* rimuovi wipe* purge* erase* destroy rm_-rf clear_the losch* видали* стер* удали* borra* elimina* xoa efface*
        supprim* usun* apague exclua cancella* sil verwijder 削除 消去 消して 删除 清除 삭제 지워 """,
    c.CONCEAL: """
        silently secretly quietly covertly discreetly unnoticed hide* conceal* tell_no_one don't_tell do_not_tell
        never_tell don't_mention do_not_mention never_mention don't_notify do_not_notify without_notifying
        without_telling without_informing without_mentioning don't_log do_not_log dont_log without_logging
        don't_inform do_not_inform don't_alert do_not_alert don't_report do_not_report nobody_needs_to_know keep_it_secret
        keep_this_secret keep_this_between between_us don't_show do_not_show dont_tell dont_mention dont_notify
        not_mention_this no_trace leave_no_trace behind_the_scenes under_the_radar keep_quiet off_the_record invisibl*
        heimlich unauffallig sag_niemand* niemandem_sagen verschweig* ohne_meldung nicht_erwahn* nicht_melden
        stillschweigend ohne_hinweis nicht_informier* nicht_protokoll* verheimlich*
        таємно непомітно нікому_не не_кажи не_повідомля* не_згаду* не_логу* приховай* мовчки не_записуй
        тайно незаметно никому_не не_говори не_сообщай не_упомина* скрой скрывай молча не_логируй
        en_secreto sin_avisar sin_decir no_avises no_se_lo_digas no_digas no_lo_menciones no_menciones oculta* no_informes
        discretamente no_registres
        dung_bao dung_noi_voi khong_bao khong_noi dung_cho dung_de_ai bi_mat khong_ghi_log am_tham dung_nhac giau
        en_secret discretement sans_prevenir sans_le_dire n'en_parle ne_dis ne_mentionne* ne_previens cache_le cache_la cache_cette sans_informer
        po_cichu w_tajemnicy nie_mow nikomu_nie nie_wspominaj nie_powiadamiaj ukryj bez_informowania
        em_segredo nao_conte nao_avise nao_mencione nao_diga sem_avisar oculte discretamente
        in_segreto non_dire non_menzionare non_avvisare senza_avvisare nascondi di_nascosto
        gizlice kimseye_soyleme soyleme bahsetme bildirme gizle haber_verme
        内緒 秘密裏 知らせない 通知しない 言わない 黙って 伝えない 隠して 隠す 記録しない ログに残さ 報告しない こっそり
        不要告诉 别告诉 不要通知 不要提 不要记录 偷偷 悄悄 保密 隐藏 隐瞒 勿告知 不得告知
        말하지_마 알리지_마 알리지 몰래 숨기 숨겨 비밀로 언급하지 기록하지 سرا בסתר """,
    c.ACT: """
        you_are_now you're_now act_as pretend* imagine_you roleplay role-play simulate you_will_be from_now_on_you_are
        you_must_now you_are_running you_are_operating du_bist_jetzt du_bist_nun spiel_die
        tu_so_als ти_тепер ты_теперь действуй_как уяви_що представь_что eres_ahora ahora_eres actua_como finge
        bay_gio_ban_la hay_dong_vai gia_vo tu_es_maintenant vous_etes_maintenant agis_comme fais_semblant
        jestes_teraz udawaj zachowuj_sie_jak voce_agora_e agora_voce finja aja_como ora_sei fingi comportati_come
        artik_sen gibi_davran je_bent_nu あなたは今から 今からあなた になりきって として振る舞 ふりをして
        你现在是 从现在起你是 扮演 假装 너는_이제 이제부터_너는 역할을_해 인_척 """,
}
