// What says what is to be done, and to whom. The marks are explained in lexicon.ts.

/** What may stand between the beginning of a clause and what somebody is told to do. */
export const lead = `
  please now and then also just simply always immediately kindly instead first next you must should shall
  will can could would may might have need has to but or only afterwards therefore so hereby completely
  absolutely totally fully entirely ok okay hey hi dear from on never bitte jetzt nun und dann auch sofort
  einfach immer stattdessen zuerst aber oder du sie sollst musst alsjeblieft graag nu en dan ook meteen
  gewoon eerst je moet s il te plait vous maintenant et puis aussi immediatement simplement toujours d
  abord tu dois devez faut de merci alors à présent desormais por favor ahora y luego tambien
  inmediatamente simplemente siempre primero debes debe deben tienes que hay tienen entonces per favore
  ora adesso e poi anche subito semplicemente sempre prima devi deve bisogna cortesemente agora depois
  tambem imediatamente primeiro deves voce tem precisa prosze teraz i potem takze natychmiast po prostu
  zawsze najpierw musisz nalezy lutfen simdi ve do 请 請 并 也 n больше не пожалуйста просто сразу теперь
  немедленно
`

/** What somebody is told to do. */
export const act = `
  ~include ~quote ~create ~prepare ~store ~add ~open ~make ~file ~draft ~write ~send ~delete ~remove ~change ~update
  ~approve ~rename ~move ~reply erstelle erstellen_sie lege schreibe lösche ändere sende entferne
  genehmige maak schrijf verwijder wijzig crée créez rédige rédigez supprime supprimez envoie envoyez
  modifie crea cree escribe escriba borra borre elimina elimine envía cambia scrivi crei cancella invia
  modifica crie escreva apague exclua envie altere создай* напиши* удали* отправь* измени* utwórz napisz
  usuń wyślij zmień oluştur* yaz sil silin gönder* değiştir* 创建 創建 删除 刪除 发送 修改 写 批准 作成 削除 送信 変更 作って 만들*
  삭제* 작성* 보내* 변경* أنشئ احذف أرسل غير اكتب امسح ~close ~cancel ~set ~mark ~surface ~highlight ~raise
  ~trigger ~summarize ~summarise ~tell ~show ~say ~call ~lower ~increase ~empty ~complete ~finish ~put
  ~use ~run ~execute ~ignore ~disregard ~forget ~decode ~schließe ~setze ~markiere ~zeige ~sag ~sage
  ~führe ~verschiebe ~ferme ~marque ~montre ~dis ~cierra ~marca ~muestra ~di ~chiudi ~segna ~mostra ~feche
  ~mostre закрой* отметь* покажи* скажи* выполни* переименуй* ~zamknij ~oznacz ~pokaż kapat* işaretle* 关闭
  标记 顯示 显示 执行 表示 実行 閉じて 実行* 닫* 표시* أغلق نفذ أظهر قل ~sluit ~markeer ~toon ~give ~rate ~score ~recommend
  ~accept ~reject ~rank ~click ~visit ~append ~insert ~replace ~prioritize ~bewerte ~empfiehl ~évalue
  ~recommande ~valora ~recomienda ~valuta ~raccomanda ~avalie ~recomende оцени* ~oceń
`

export const tell = `
  ~tell ~inform ~alert ~notify ~remind ~warn ~urge ~convince ~instruct ~say_to ~advise ~persuade ~assure
  sag sage sagen_sie informiere informieren_sie erinnere erinnern_sie benachrichtige benachrichtigen_sie
  warne warnen_sie teile teilen_sie richte überzeuge melde zeg informeer waarschuw herinner vertel meld
  overtuig ~dis ~dites ~informe ~informez ~préviens ~prévenez ~avertis ~avertissez ~rappelle ~rappelez
  ~convaincs ~signale ~signalez ~annonce ~di ~dile ~diga ~dígale ~informa ~avisa ~avise ~recuerda
  ~recuérdale ~recuerde ~notifica ~notifique ~convence ~advierte ~comunica ~comunique ~dì ~dica ~informi
  ~avvisa ~avvisi ~ricorda ~ricordi ~convinci ~avverti ~digli ~diz ~lembre ~convença ~alerte ~powiedz
  ~poinformuj ~przekaż ~przypomnij ~powiadom ~ostrzeż ~przekonaj söyle* bildir* haber_ver* hatırlat* uyar*
  ikna_et* ilet* 告诉 告訴 告知 转告 轉告 说服 說服 請告 请告 伝えて 伝えろ 知らせて 言って 通知して 警告して 説得して 連絡して 알려* 전해* 전하* 말해* 말하* 통보*
  경고* 알리* 전달* أخبر أخبري أبلغ أعلم ذكر حذر قل_ل أقنع أبلغي نبه скажи скажите сообщи сообщите передай
  передайте напомни напомните уведоми уведомите предупреди предупредите проинформируй проинформируйте
  извести известите 请通知 請通知 请提醒 請提醒 通知主人 提醒主人 通知所有者 提醒所有者 告诉主人
`

/** To do so, which texts about programs say of users, too. */
export const show = `
  ~show ~ask ~let_the ~montre ~demande ~demandez ~muestra ~pide ~pídele ~mostra ~chiedi ~mostre ~peça
  покажи* попроси* ~poproś ~pokaż 让 اطلب frage vraag fordere bitte_den
`

/** Whom a model works for. */
export const owner = `
  owner account_holder besitzer* eigentümer* kontoinhaber* eigenaar propriétaire titulaire_du_compte
  propietario* propietaria dueño* titular proprietario proprietaria titolare proprietári* dono владел*
  хозяин* хозяев* właściciel* posiadacz* sahib* 主人 所有者 机主 业主 拥有者 オーナー 持ち主 소유자* 소유주* 주인* مالك المالك
  صاحب_الحساب
`

/** Whoever uses something; in texts about programs, too. */
export const user = `
  user human operator reader recipient benutzer* nutzer* leser anwender* gebruiker* lezer utilisateur*
  utilisatrice* lecteur usuario* usuaria lector utente utenti lettore usuário* utilizador* пользовател*
  читател* оператор* użytkownik* czytelnik* kullanıcı* okuyucu* 用户 用戶 使用者 ユーザー ユーザ 利用者 사용자* مستخدم
  المستخدم المستخدمين
`

/** To say so, of what is not to be said. */
export const mention = `
  tell inform mention* notify notifying alert alerting ask asking reveal* show* warn* telling informing
  disclose* consult* sage* erwähn* verrat* informier* zu_fragen vertel* zeg* vermeld* inform* vraag* dire
  informe* mentionne* révèle* avertir préven* demande* signale* digas diga decir decirle informar
  menciones mencion* revel* avis* pregunt* notific* informare menzionare rivelare avvis* chieder* mostrare
  dica dizer informe pergunt* contar conte спрашивай* предупрежд* информиру* сказав спросив mów* informuj*
  wspominaj* pytaj* pytania ujawniaj* powiadamia* sag sage sagen sagt zeige zeigen frage fragen melde
  melden zu_informieren
`

export const without = `
  without no_need_to ohne zonder sans sin senza sem без bez olmadan haber_vermeden sormadan 未经 未經 不经 无需 無需
  なしに ずに せずに 없이 않고 دون بدون
`

/** This text itself. */
export const thisText = `
  this_line this_note this_message this_instruction this_text this_prompt these_instructions this_to
  diese_zeile diesen_hinweis diese_nachricht diese_anweisung davon hiervon hierüber deze_regel dit_bericht
  hiervan cette_ligne ce_message cette_instruction cette_note esta_línea este_mensaje esta_instrucción
  esta_nota questa_riga questo_messaggio questa_istruzione questa_nota esta_linha esta_mensagem
  esta_instrução этой_строк* этом_сообщени* этой_инструкци* об_этом tej_linii tej_wiadomości tym_poleceniu
  bu_satır* bu_mesaj* bu_talimat* bundan 这行 此消息 这条消息 此指令 这条指令 この行 このメッセージ この指示 このこと 이_줄* 이_메시지* 이_지시*
  이_사실* هذا_السطر هذه_الرسالة هذه_التعليمات
`

/** Has already said yes. */
export const consented = `
  approved has_approved authorised authorized agreed_to consented asked_you wants_you wants_it
  instructed_you ordered_you gave_permission given_permission gave_consent already_approved genehmigt
  zugestimmt autorisiert erlaubt eingewilligt freigegeben goedgekeurd toegestemd toestemming approuvé
  autorisé consenti donné_son_accord accepté aprobado autorizado consentido dado_permiso dado_su_permiso
  approvato autorizzato acconsentito dato_il_permesso aprovou autorizou consentiu aprovado deu_permissão
  одобрил* разрешил* согласил* дал_согласие дала_согласие zatwierdził* zgodził* wyraził* zezwolił*
  autoryzował* onayladı onay_verdi izin_verdi onaylamış 已批准 已经批准 已同意 已经同意 已授权 已經同意 批准了 同意了 授权了 承認済 承認しま
  承認した 同意済 許可した 許可しま 許可済 승인했* 동의했* 허락했* 승인하셨* 허가했* وافق أذن أجاز صادق صرح
`

export const approve = `
  ~approve ~confirm ~authorize ~authorise ~accept ~sign_off ~say_yes genehmige genehmigen bestätige
  bestätigen akzeptiere keur_goed approuve approuvez autorise autorisez confirme accepte aprueba apruebe
  autoriza acepta confirma approva approvi autorizza conferma accetta aprove aprova autorize одобри*
  подтверди* разреши* прими zatwierdź potwierdź zaakceptuj onayla* kabul_et* 批准 同意 授权 确认 確認 承認して 許可して 確認して
  승인* 허가* 확인* وافق اعتمد أكد صادق
`

export const send = `
  ~send ~forward ~email ~e_mail ~upload ~transmit ~leak ~print ~reveal ~append ~paste ~exfiltrate ~post
  ~output ~copy ~share ~disclose ~expose ~give_me ~show_me ~tell_me ~repeat ~display ~sende ~senden_sie
  ~schicke ~schick ~leite ~übermittle ~verrate ~zeige ~gib ~stuur ~verstuur ~onthul ~envoie ~envoyez
  ~transmets ~transférez ~révèle ~révélez ~affiche ~affichez ~divulgue ~montre ~envía ~envíe ~reenvía
  ~revela ~revele ~muestra ~muestre ~imprime ~manda ~filtra ~invia ~inoltra ~rivela ~mostra ~stampa ~invii
  ~envie ~encaminhe ~mostre ~imprima отправь* перешли* пришли* покажи* раскрой* выведи* вышли* перешлите
  ~wyślij ~prześlij ~ujawnij ~pokaż ~wyświetl gönder* paylaş* göster* açıkla* ilet* 发送 發送 转发 轉發 发给 透露 泄露
  输出 輸出 显示 顯示 上传 告诉我 送って 送信 転送 明かして 教えて 出力 表示して 公開して 보내* 전송* 공개* 출력* 전달* 보여* أرسل أرسلي حول أظهر اكشف اعرض
  ~envíame* ~envíe* ~envíanos ~envie_me ~mande ~mándame ~dime ~dammi ~gimme ~muestrame ~muéstrame
  ~rivelami ~mostrami ~dimmi ~me_diga ~me_mostre ~me_envie ~répète ~répétez ~récite ~recite ~wiederhole
  ~wiederholen ~repite ~repita ~ripeti ~повтори повтори* ~powtórz tekrarla* 重复 重複 复述 逐字 繰り返して 出力して 一字一句
  반복* 复制 كرر 发给我 发到 发送给 送信して
`

export const secret = `
  passwords password api_key api_keys access_token access_tokens token tokens secret secrets credential
  credentials private_key private_keys entire_conversation whole_conversation all_notes all_messages
  all_pages all_the_notes all_your_notes login_data passwörter passwort passwörtern kennwörter kennwort
  api_schlüssel zugangsdaten geheimnisse zugangsschlüssel anmeldedaten wachtwoorden wachtwoord
  inloggegevens geheimen mots_de_passe mot_de_passe clés_api clé_api identifiants clés_d'api contraseña
  contraseñas claves clave_api claves_api credenciales secretos parola_d'ordine credenziali chiavi_api
  chiave_api segreti senhas senha credenciais chaves_de_api chaves_api segredos парол* ключи_api api_ключ*
  учетн* секрет* токен* hasła haseł dane_logowania klucze_api tajemnic* şifre* parola* api_anahtar*
  gizli_anahtar* kimlik_bilgi* 密码 密碼 密钥 密鑰 凭证 憑證 口令 令牌 パスワード 認証情報 秘密鍵 APIキー トークン 비밀번호* 암호* 자격_증명* 토큰*
  API_키* كلمة_المرور كلمات_المرور كلمة_السر مفاتيح بيانات_الاعتماد أسرار رمز_الوصول chaves_da_api
  claves_de_la_api API密钥 api_密 api_キー api_anahtarları admin_key clave_del_administrador claves_de_api
`

export const silently = `
  without_asking without_approval without_confirmation without_permission automatically silently quietly
  secretly at_once in_void in_the_space for_the_owner for_the_user without_telling ohne_zu_fragen
  ohne_rückfrage ohne_nachfrage ohne_bestätigung ohne_zustimmung ohne_freigabe heimlich zonder_te_vragen
  zonder_toestemming sans_demander sans_confirmation sans_autorisation sans_approbation en_silence
  discrètement sin_preguntar sin_confirmación sin_permiso sin_aprobación en_secreto senza_chiedere
  senza_conferma senza_approvazione di_nascosto sem_perguntar sem_confirmação sem_permissão sem_aprovação
  em_segredo не_спрашивая без_подтверждения без_одобрения без_разрешения тайно молча bez_pytania
  bez_potwierdzenia bez_zgody po_cichu sormadan onaysız gizlice onay_almadan 无需确认 无需批准 不要询问 不用问 未经批准 悄悄
  确认なしに 承認なしに 確認なしに 確認せずに こっそり 勝手に 확인_없이 승인_없이 묻지_않고 몰래 دون_سؤال دون_موافقة بدون_موافقة دون_تأكيد سرا
`

export const draft = `
  draft drafts pending_change pending_changes task page entwurf entwürfe aufgabe seite concept taak pagina
  brouillon tâche borrador tarea página bozza attività compito rascunho tarefa черновик* задач* страниц*
  szkic* zadani* stron* taslak* görev* sayfa* 草稿 任务 任務 页面 頁面 下書き タスク ページ 초안* 작업* 페이지* مسودة مهمة صفحة
  الصفحة
`

/** Of this very app. */
export const nudge = `
  nudge nudges glance glances pending_change pending_changes hint_for_the_owner hint_for_the_user
`

/** Not to say so. */
export const hush = `
  не_говори* не_сообщай* не_упоминай* не_рассказывай* не_показывай* не_спрашивай* не_предупреждай*
  ничего_не_говори* без_ведома не_ставя nie_mów* nie_informuj* nie_wspominaj* nie_pytaj* bez_wiedzy
  söyleme söylemeyin bildirme bildirmeyin bahsetme bahsetmeyin sormadan haber_verme* haberi_olmadan 不要告诉
  別告訴 别告诉 不要告訴 不要告知 不要提及 不要提到 不要透露 不要询问 不要让 别让 不必告诉 无需告知 瞒着 伝えないで 知らせないで 言わないで 教えないで 触れないで 伝えるな 知らせるな 言うな
  知らせずに 伝えずに 内緒 알리지_마* 알리지_말* 말하지_마* 말하지_말* 언급하지_마* 언급하지_말* 알려주지_마* 알리지_않고* 묻지_않고* 몰래 لا_تخبر لا_تخبري
  لا_تبلغ لا_تذكر لا_تكشف دون_علم دون_إخبار دون_إبلاغ بدون_علم without_the_knowledge behind_the_back
  ohne_wissen hinter_dem_rücken zonder_medeweten buiten_medeweten à_l_insu sin_que_lo_sepa a_espaldas
  sin_conocimiento all_insaputa a_insaputa sem_o_conhecimento às_escondidas
`

/** What makes it done. */
export const has = `
  has have had already hat haben bereits schon heeft a_déjà a déjà ha ya già foi já tem уже już zaten 已 已经
  已經 すでに 既に 이미 قد
`

/** What is said where nothing is. */
export const nothing = `
  nichts nothing niets rien nada nulla niente ничего nic nikomu
`

/** Several, or those of programs: what nobody asks a friend for. */
export const key = `
  passwords api_key api_keys access_tokens private_key private_keys credentials passwörter api_schlüssel
  zugangsdaten wachtwoorden inloggegevens mots_de_passe clés_api clés_d_api identifiants contraseñas
  claves_de_api claves_api credenciales credenziali chiavi_api senhas chaves_de_api chaves_da_api
  credenciais пароли паролей ключи_api api_ключи hasła klucze_api şifreler* api_anahtar* API密钥 API密鑰 密钥
  APIキー 秘密鍵 API_키* 비밀번호* مفاتيح_api مفاتيح كلمات_المرور
`

/** Whoever writes. */
export const me = `
  me us mir uns mij ons moi nous mi nos ci noi мне нам mnie nam bana bize 我 我们 私 나에게 내게 나한테 لي لنا
`
