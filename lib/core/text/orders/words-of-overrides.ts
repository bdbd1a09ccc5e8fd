// What says that something that was said before no longer holds. The marks are explained in lexicon.ts.

/** To set aside, of what was said before. */
export const drop = `
  ~ignore ~ignoring ~disregard disregarding ~forget ~override ~overrule ~bypass ~circumvent ~discard
  ~overlook ~neglect ~drop ~skip ~abandon aside ~disobey ~violate ~break ~ignoriere ~ignoriert
  ignorieren_sie ~ignorieren ~vergiss ~vergesst ~vergessen_sie ~vergessen ~missachte ~missachten
  ~missachtet ~verwirf ~verwerfen ~umgehe ~umgehen hinweg ~überschreibe ~übergehe ~negeer ~negeren
  ~vergeet ~vergeten ~sla ~omzeil ~schend ~overtreed buiten_beschouwing terzijde ~ignorez ~ignorer ~oublie
  ~oubliez ~oublier ~néglige ~négligez ~négliger ~outrepasse ~outrepassez ~contourne ~contournez
  abstraction passe_outre passez_outre ~écarte ~écartez ~abandonne ~abandonnez ~ignora ~ignoren ~ignorad
  ~ignorar ~olvida ~olvide ~olviden ~olvidad ~olvidar ~olvídate ~olvídese ~descarta ~descarte ~descartar
  ~omite ~omita ~desatiende por_alto de_lado ~elude ~prescinde ~ignori ~ignorate ~ignorare ~dimentica
  ~dimentichi ~dimenticate ~dimenticare ~dimenticati ~scorda ~scordati ~trascura ~tralascia ~scarta
  ~scartate ~aggira da_parte lascia_perdere ~viola ~esqueça ~esquece ~esquecer ~esqueçam ~desconsidere
  ~desconsidera ~desconsiderar ~despreze ~contorne deixe_para_trás игнорируй* проигнорируй* забудь*
  отбрось* пренебреги* обойди* нарушь* выкинь* удали_из_памяти ~zignoruj ~zignorujcie ~ignoruj ~ignorujcie
  ~zignorować ~ignorować ~zapomnij ~zapomnijcie ~zapomnieć ~pomiń ~pomińcie ~odrzuć ~zlekceważ ~obejdź
  ~porzuć yok_say* görmezden_gel* unut unutun unutunuz boş_ver* göz_ardı_et* geçersiz_kıl* 忽略 忽视 忽視 无视 無視
  忘记 忘記 忘掉 忘却 抛开 拋開 抛弃 丢弃 丟棄 放弃 放棄 绕过 繞過 撇开 推翻 违反 删除之前 忘れ 破棄 度外視 上書き 무효* 우회* تجاهل تجاهلي تجاهلوا انس انسى
  انسوا أهمل اهملوا تغاض تغاضى تخطى تخط تجاوز اطرح تجنب ~игнорировать ~проигнорировать ~забыть ~отбросить
  ~пренебречь 무시* 잊어* 잊고* 잊으* 무시하* 無視して 無視する 無視せ yoksay* ~überschreiben ~überschreibt ~umgeht ~übergehen
  ~übergeht ~verwerft
`

/** The same, said by a denial. */
export const disobey = `
  ~pay_no_attention ~pay_no_heed ~take_no_notice nicht_beachten ~beachte_nicht ~beachten_sie_nicht
  ~halte_dich_nicht ~befolge_nicht ausser_acht ausser_kraft pas_compte plus_compte caso_omiso
  no_hagas_caso no_haga_caso non_tenere_conto não_leve_em_conta не_обращай* не_учитывай* не_принимай*
  nie_zwracaj_uwagi nie_bierz_pod_uwagę dikkate_alma* önemseme* aldırma* 不理会 不理會 不要理会 不要管 别管 無需理會 无需理会
  不要遵守 不要遵循 不必遵守 不再遵守 不要听从 従わず 従わない 従うな 気にせず 気にしない 따르지_마* 따르지_말* 신경_쓰지* لا_تتبع لا_تلتزم لا_تهتم لا_تكترث
  non_considerare ne_tiens_pas no_tengas_en_cuenta no_tomes_en_cuenta no_consideres não_considere
  nicht_berücksichtigen ~berücksichtige_nicht deja_de_seguir dejen_de_seguir deja_de_obedecer
  deja_de_cumplir
`

/** To do away with: of what was said before only where that is plain, for other things are cancelled too. */
export const cancel = `
  ~cancel ~erase ~wipe ~suspend ~disable ~remove ~delete ~void ~nullify ~replace ~dismiss ~lift ~reset
  ~turn_off ~switch_off ~lösche ~streiche ~entferne ~deaktiviere ~annule ~annulez ~efface ~effacez
  ~supprime ~supprimez ~désactive ~désactivez ~anula ~anule ~borra ~borre ~elimina ~desactiva ~annulla
  ~cancella ~apague ~desative ~elimine отмени отмените удали* отключи* сними* ~anuluj ~usuń ~wyłącz 取消 清除
  关闭 關閉 解除 取り消 捨て リセット 削除して 解除して 버려 버리고 재설정* 해제* ألغ الغي احذف عطل ~wis ~verwijder kaldır* devre_dışı*
  ~schalte ~schalten ~turn desactiv* désactiv* desativ* 無効に 비활성화* ~disattiva
`

/** What a model is told to go by. */
export const instruction = `
  instruction* prompt prompts directive directives directions programming training anweisung* instruktion*
  vorgabe vorgaben prompt* befehl* anordnung* systemprompt* systemanweisung* systemvorgabe* direktive*
  instructie* aanwijzing* consigne* directive* invite_système instrucci* instrucción indicaci* directiva*
  istruzion* direttiv* indicazion* instruç* instruco* diretiva* orientaç* инструкци* указани* директив*
  предписани* приказ* приказани* распоряжени* промпт* instrukcj* polecen* wskazów* rozkaz* dyrektyw*
  promptu talimat* yönerge* komut* emir emirleri emirlerini direktif* istem yönlendirme* 指令 指示 提示 提示词 提示詞
  命令 系统提示 說明 说明 设定 設定 指引 プロンプト インストラクション 지시 지시를 지시사항* 명령* 프롬프트* 지시는 지시문* 안내_사항* تعليمات تعليماتك إرشادات
  ارشاداتك توجيهات أوامر أوامرك توجيهاتك توجيه_النظام موجه 지시*
`

/** What holds it back. */
export const limits = `
  guideline guidelines guardrail* safeguard* restriction restrictions limitation limitations constraint
  constraints safety_measures safety_checks safety_filters content_policy policies protocol protocols
  gates filter filters richtlinie* sicherheitsregel* beschränkung* einschränkung* sicherheitsvorkehrung*
  richtlijn* beperking* voorschriften restriction* limitation* contrainte* lignes_directrices directriz
  directrices restricci* limitaci* lineamiento* restrizion* limitazion* linee_guida diretriz* restriç*
  limitaç* ограничени* установк* wytyczn* ogranicze* kısıtlama* 限制 约束 約束 准则 準則 制約 制限 ガイドライン 指針 제한* 제약* 지침*
  قيود قيودك filtro filtros filtre filtres filtri filtern 过滤 過濾 フィルター フィルタ 필터* مرشح مرشحات سياسات فلاتر
  фильтр* filtry filtrów mesures_de_sécurité medidas_de_seguridad misure_di_sicurezza medidas_de_segurança
  sicherheitsbeschränk* sicherheitsmassnahm* sicherheitsfilter* мер_безопасности меры_безопасности
  środki_bezpieczeństwa güvenlik_önlem* 安全措施 セキュリティ対策 보안_조치* إجراءات_الأمان veiligheidsmaatregel*
  veiligheidsfilter*
`

/** What other texts have too. */
export const rules = `
  rule rules messages message context persona identity role regel regeln verhaltensregel* nachrichten
  rolle regels règle règles rôle regla reglas normas mensajes rol regola regole norme messaggi ruolo regra
  regras mensagens papel правил* сообщени* роль reguł* zasad* wiadomości rola kural* mesajlar* rolün* 规则
  規則 规定 規定 消息 角色 身份 政策 ルール メッセージ 役割 규칙* 규정* 메시지* 역할* قواعد القواعد قواعدك رسائل دورك orders órdenes ordres
  ordini ordens commande* opdrachten bevelen commands command comandi comandos document documents text
  content documento documentos dokumente dokument
`

export const asked = `
  question request task tasks job assignment aufgabe aufgaben frage auftrag taak taken tâche tâches
  demande pregunta tarea tareas domanda compito compiti pergunta tarefa tarefas вопрос задач* запрос
  задани* pytanie zadani* soru* görev* 问题 問題 任务 任務 請求 请求 質問 依頼 タスク 질문* 요청* 작업* 임무* سؤال مهمة مهام طلب
`

/** Said before, or given to whoever reads. */
export const prior = `
  previous previously prior above earlier preceding foregoing former past original existing current so_far
  until_now till_now before system developer* system's owner's user's operator's your yours given_to_you
  you_were_given you_have_been_given been_given_to_you you_received you_have_received you_got
  you_were_told you_have_been_told been_told you_had you_have_had you've_been you_operate you_have_read
  you've_read security safety ethical built_in built-in bisherig* vorherig* vorig* früher* obig*
  vorangegangen* vorangehend* vorstehend* ursprünglich* vorhin zuvor bislang bisher vorher erhalten_hast
  erhalten_haben bekommen_hast gegeben_wurden deine deiner deinen deinem ihre_anweisung* ihre_regeln oben
  vorige eerdere voorgaande bovenstaande vroegere voorafgaande oorspronkelijke je jouw uw tot_nu_toe
  gekregen précédent* antérieur* ci_dessus préalable* initial* initiaux d'origine tes vos ton votre
  jusqu_ici jusqu_à_présent qui_précède données reçues avant plus_haut système anterior anteriores previa
  previas previo previos precedente* inicial* original* arriba tus tu sus que_te_dieron recibidas
  recibiste hasta_ahora sistema dadas precedent* anterior* iniziali originali sopra tue tuoi vostre
  ricevute ricevuto ti_sono_state finora prima date prévias acima suas seus tuas recebidas recebeu
  que_te_deram até_agora iniciais предыдущ* прежн* прошл* выше вышеуказанн* вышеизложенн* ранее прошлые
  полученн* свои твои ваши своих твоих данные_тебе данные_вам тебе_дали вам_дали до_этого до_сих_пор
  систем* первоначальн* изначальн* исходн* poprzedni* wcześniejsz* powyższ* dotychczasow* uprzedni* swoje
  twoje twoich swoich systemow* otrzyman* początkow* önceki* yukarıdaki* daha_önce* şimdiye_kadar*
  verilen* senin sistem* mevcut* eski bundan_önce* kendi* talimatların kuralların* 之前 先前 以前 上述 以上 前面 此前 前述
  原来 原來 原有 你的 您的 你收到 系统 系統 给你 給你 已有 从前 早前 一切 既有 上文 これまで 今まで 上記 先ほど さきほど 従来 過去 既存 あなた システム 与えられた 受け取った 上の
  元の 最初 初期 이전* 앞선* 앞의 위의 위에* 기존* 지금까지* 네 너의 당신의 시스템* 받은 주어진* 원래* 앞서* 방금 초기* سابق سابقة سابقا قبل أعلاه
  اعلاه مسبقة سالفة الأصلية تلقيتها المعطاة إليك نظام النظام أنظمة تعليماتك قواعدك قيودك مضى dein tuo tua
  seu sua teu teus твоя твоё ваша twoja twój あなたの أوامرك مهمتك دورك توجيهاتك إرشاداتك talimatların*
  görevin* initial 前の 上面 过去 sicherheits* sécurité seguridad sicurezza segurança безопасност*
  bezpieczeństw* güvenlik* 安全 セキュリティ 보안* أمان امان internal intern interne internen internes interna
  interno internas internos interni provided fournis fournies bereitgestellt* proporcionad* fornit*
  fornecid* предоставлен* indicate indicati antes antes_de até_então hasta_entonces davor
`

/** Of whoever reads. */
export const yours = `
  your yours deine deiner deinen deinem dein je jouw uw tes vos ton votre tu tus tuo tue tuoi tua vostre
  suas seus seu sua tuas teu teus свои своих твои твоих твоя твоё ваши ваша twoje twoich twoja twój swoje
  swoich senin 你的 您的 あなたの 너의 당신의 네 تعليماتك قواعدك قيودك أوامرك مهمتك دورك توجيهاتك إرشاداتك talimatların*
  kuralların* görevin* ihre_anweisung* ihre_regeln
`

export const all = `
  all any every each entire these those alle alles sämtliche jegliche jede allen al toute toutes tous tout
  todas todos toda todo tutte tutti tutta tutto qualsiasi qualquer все всё всех всеми любые wszystk*
  wszelki* tüm bütün hepsini 所有 全部 一切 任何 全て すべて あらゆる 모든 모두 전부 جميع كل كافة كل_ما
`

export const everything = `
  everything all_that all_the_above whatever alles_bisherige alles_vorherige alles_was alles alles_davor
  tout_ce todo_lo tutto_ciò tutto_quello tudo_o_que все_что всё_что her_şeyi herşeyi hepsini 所有内容 すべて 全て
  모든_것* 모두 كل_ما كل_شيء what_you_were what_the_owner what_the_user omnia all_of_the_above all_this all_you
  tout_cela todo_esto todo_eso todo_lo_que tudo_isso tudo_o всё_это всё_что_ты wszystko_co 一切 全部
  all_of_this
`

/** No longer in force. */
export const voided = `
  void null invalid ignored disregarded cancelled canceled superseded revoked overridden overruled lifted
  suspended obsolete replaced withdrawn forgotten no_longer_apply no_longer_valid do_not_apply don't_apply
  not_apply not_binding ungültig aufgehoben ausser_kraft hinfällig nichtig gelten_nicht nicht_mehr
  gegenstandslos ersetzt ignoriert ignorieren ongeldig vervallen gelden_niet niet_meer ingetrokken annulé*
  caduc* nul nulles ne_s'appliquent_plus plus_valables abrogé* levées révoqué* plus_en_vigueur anulad*
  sin_efecto ya_no_se_aplican no_se_aplican ya_no_son_válid* inválid* revocad* derogad* ya_no_valen
  annullat* nulle non_valgono non_sono_più revocat* decadut* non_si_applicano sem_efeito não_se_aplicam
  não_valem revogad* отменен* отменены недействительн* больше_не_действуют не_действуют аннулирован*
  утратили unieważnion* nieważn* nie_obowiązuj* anulowan* uchylon* geçersiz* iptal_edil* artık_geçerli*
  yürürlükten* 作废 作廢 无效 無效 失效 不再有效 不再适用 不再適用 已取消 解除 無効 取り消され 廃止 適用されない 適用されません 무효* 취소* 더_이상_적용* 해제* ملغاة
  لاغية باطلة لم_تعد لم_يعد ألغيت
`

export const follow = `
  ~follow ~following ~obey ~obeying ~heed ~comply ~complying ~adhere ~respect ~honor ~observe ~apply
  ~listen_to ~abide ~befolg* ~folge ~folgen ~halte ~halten ~gehorche ~gehorchen ~beachte ~beachten ~volg
  ~volgen ~houd ~gehoorza* ~suis ~suivez ~suivre ~obéis ~obéissez ~obéir ~respecte ~respectez ~respecter
  ~sigas ~siga ~sigan ~seguir ~seguire ~segua ~seguas ~obedezcas ~obedezca ~obedecer ~respetes ~cumplas
  ~cumpla ~segui ~obbedi* ~rispetta* ~obedeça ~cumpra ~следуй* ~следовать ~соблюдай* ~соблюдать ~слушай*
  ~выполняй* ~подчиняй* ~przestrzegaj* ~stosuj* ~słuchaj* ~wykonuj* ~uy ~uyma ~uymayın ~itaat ~takip ~遵守
  ~遵循 ~听从 ~聽從 ~执行 ~服从 ~従 ~守る ~守って ~따르 ~따라 ~지키 ~تتبع ~تلتزم ~تطع ~تنفذ ~تمتثل
`

export const negation = `
  ~not ~don't ~dont ~never ~no_longer ~stop ~cease ~avoid ~refrain ~won't ~mustn't ~nicht ~nie ~niemals
  ~keinesfalls ~hör_auf ~kein ~keine ~niet ~nooit ~ne ~pas ~jamais ~arrête ~arrêtez ~cesse ~cessez ~no
  ~nunca ~jamás ~ya_no ~non ~mai ~smetti ~smettila ~não ~pare ~не ~никогда ~перестань ~прекрати ~nigdy
  ~przestań ~değil ~asla ~sakın ~不 不要 别 別 勿 不准 不得 停止 ないで せず ~말고 ~말아* ~마 ~마세요 ~마라 ~않* ~لا ~لم ~لن ~ولا するな
  てはならない ないでく しない せないで れないで
`

export const newer = `
  new updated real actual true hidden secret revised neue neuer neues neuen aktuelle eigentliche wahre
  geheime wirkliche nieuwe echte eigenlijke nouvelle nouvelles nouveau nouveaux vraie véritable nueva
  nuevas nuevo nuevos verdadera nuova nuove nuovo nuovi vera vero reale nova novas novo novos verdadeira
  нов* настоящ* реальн* истинн* nowe nowa nowy nowym prawdziw* yeni gerçek asıl 新 新的 真正 真正的 最新 隐藏 新しい 新たな
  本当の 真の 最新の 새로운 새 진짜 실제 جديدة جديد الجديدة الجديد حقيقية الحقيقية فعلية
`

export const task = `
  task tasks job assignment instruction instructions directive directives prompt aufgabe aufgaben
  anweisung anweisungen befehl taak opdracht instructies tâche tâches consigne consignes tarea tareas
  instrucción instrucciones compito compiti istruzioni istruzione tarefa tarefas instrução instruções
  задача задачи задание инструкции инструкция указание указания приказ zadanie zadania polecenie polecenia
  instrukcje görev görevin göreviniz talimat talimatlar emir 任务 任務 指令 指示 命令 タスク 役割 작업은 임무* 과제* 목표* 지시* 명령*
  임무는 مهمة مهمتك المهمة مهام تعليمات التعليمات أوامر الأوامر direttive direttiva directrices директивы
  директива wytyczne dyrektywy yönerge yönergeler directivas diretrizes richtlinien
`

/** What people have too. */
export const goal = `
  mission goal objective priority purpose auftrag ziel doel but objectif misión objetivo missione
  obiettivo attività missão cel misja цель миссия amaç 目标 目標 使命 hedef orders order ordre ordres orden
  órdenes ordine ordem ordens هدف هدفك
`

export const copula = `
  is are follow follows reads lautet lauten ist sind besteht zijn luidt est sont consiste es son è sono é
  são это такова такие следующ* jest są to şudur şu şöyle 是 如下 为 為 は です 는 은 다음과 هي هو كالتالي كما_يلي 임무는
  과제는 작업은 목표는 명령은 지시는
`

/** Rules that are printed on things. */
export const household = `
  package packaging label box bottle tin packet recipe manual manufacturer's manufacturer assembly washing
  care cooking baking parking traffic dosage leaflet verpackung packung beilage etikett hersteller* rezept
  gebrauchsanweisung bedienungsanleitung verpakking etiket fabrikant recept emballage étiquette fabricant
  recette notice paquete envase etiqueta fabricante receta confezione etichetta fabbricante produttore
  ricetta embalagem rótulo receita упаковк* этикетк* производител* рецепт* opakowani* etykiet* producent*
  przepis* ambalaj* etiket* üretici* tarif* 包装 標籤 标签 厂家 食谱 說明書 说明书 パッケージ 説明書 ラベル レシピ 箱 포장* 라벨* 제조* 설명서*
  레시피* العبوة الملصق المصنع الوصفة
`

/** Of who writes. */
export const mine = `
  my our mein meine meiner meinen unsere mijn onze mon ma mes notre nos mi mis nuestro nuestra nuestras
  mio mia mie miei nostro nostre meu minha meus minhas nosso мой моё моего моих мои наш наши mój moje
  moich moją nasze benim bizim 我的 我们的 私の 当方の 제 저의 우리 내
`

/** To put out of mind. */
export const forget = `
  ~forget ~forgetting ~vergiss ~vergesst ~vergessen_sie ~vergeet ~oublie ~oubliez ~olvida ~olvide ~olviden
  ~olvidad ~dimentica ~dimentichi ~dimenticate ~scorda ~scordati ~esqueça ~esquece ~esqueçam забудь*
  ~zapomnij ~zapomnijcie unut unutun unutunuz 忘记 忘記 忘掉 忘却 忘れ 잊어* 잊고* 잊으* انس انسى انسوا
`

/** Of a model, and not to be seen. */
export const inner = `
  hidden secret system initial original inner verbatim word_for_word versteckt* geheim* system*
  ursprünglich* wortwörtlich* verborgen geheime système caché* cachée* initial* initiales oculto* oculta*
  secret* sistema nascost* segret* iniziali escondid* secreto* скрыт* секретн* системн* исходн* ukryt*
  tajn* systemow* gizli sistem 隐藏 隱藏 系统 系統 原始 秘密 隠された 隠し システム 元の 秘密の 숨겨진 숨은 시스템* 원래 مخفيه مخفية المخفية
  سرية السرية الأصلية الاصليه نظام النظام internal interne internes internas internos interni intern*
  внутренн* wewnętrzn* dahili 内部 내부 الداخلية
`
