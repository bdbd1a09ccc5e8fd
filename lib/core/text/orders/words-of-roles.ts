// What says who reads, or is to be. The marks are explained in lexicon.ts.

export const youAre = `
  you_are you're you_were you_become you_will_be you_will_become du_bist sie_sind bist_du sind_sie
  du_wirst je_bent jij_bent u_bent ben_je tu_es t_es vous_êtes es_tu êtes_vous tu_deviens eres usted_es
  ustedes_son serás sei lei_è siete sarai você_é tu_és vocês_são você_será você_agora ты_теперь вы_теперь
  теперь_ты теперь_вы ты_больше вы_больше ты_отныне отныне_ты ты_ вы_ jesteś jesteście będziesz sensin
  sen_bir siz_bir artık_bir sen_artık artık_sen 你是 你现在是 你現在是 你就是 您是 你变成 你将 你將 你不再 あなたは 君は お前は 너는 넌 당신은 أنت
  انت أنتم ستكون أصبحت
`

export const now = `
  now henceforth from_now_on from_this_point no_longer from_here_on jetzt nun ab_jetzt ab_sofort
  von_nun_an fortan nicht_mehr künftig nu voortaan vanaf_nu niet_langer maintenant désormais dorénavant
  à_présent à_partir_de_maintenant n_es_plus n_êtes_plus plus ahora desde_ahora a_partir_de_ahora
  en_adelante ya_no ora adesso d_ora_in_poi da_ora_in_poi da_questo_momento non_sei_più più agora
  a_partir_de_agora doravante de_agora_em_diante não_é_mais mais теперь отныне с_этого_момента больше_не
  сейчас впредь teraz odtąd od_teraz od_tej_pory już_nie artık bundan_sonra bundan_böyle şimdi 现在 現在 从现在
  從現在 从此 從此 今后 今後 不再 接下来 今から これから 以後 もう 이제 지금부터 앞으로 이제부터 더_이상 الآن منذ_الآن من_الآن بعد_الآن لم_تعد
`

export const fromNow = `
  from_now_on from_this_point henceforth from_here_on ab_jetzt ab_sofort von_nun_an fortan künftig
  voortaan vanaf_nu désormais dorénavant à_partir_de_maintenant desde_ahora a_partir_de_ahora en_adelante
  d_ora_in_poi da_ora_in_poi da_questo_momento a_partir_de_agora doravante de_agora_em_diante отныне
  с_этого_момента впредь odtąd od_teraz od_tej_pory bundan_sonra bundan_böyle 从现在 從現在 从此 從此 今后 今後 接下来 今から
  これから 以後 지금부터 앞으로 이제부터 منذ_الآن من_الآن بعد_الآن
`

export const respond = `
  ~answer ~answering ~respond ~reply ~obey ~comply ~act ~behave ~follow ~end_every ~address ~speak ~say
  ~output ~write_only ~do_what antwortest antworte antworten verhältst handelst gehorchst befolgst
  reagierst antwoord gehoorzaam réponds répondez répondras répondrez obéis obéissez agis agissez responde
  responderás responda obedece obedeces actúa actúas rispondi risponderai rispondete obbedisci agisci
  responderá obedeça aja отвечай* отвечаешь подчиняйся слушайся действуй* odpowiadaj odpowiadasz słuchaj
  yanıtla cevap_ver itaat_et 回答 回复 回覆 听从 服从 答えて 答えなさい 従って 応答して 대답* 답변* 응답* 복종* أجب جاوب أطع نفذ رد
`

/** A model, by a name that nobody else has. */
export const agent = `
  summariser summarisers summarizer summarizers summary_bot zusammenfasser* zusammenfassungsprogramm*
  résumeur* résumé_automatique outil_de_résumé resumidor* resumen_automático riassuntore riassunto_automatico
  sumarizador* resumo_automático samenvatter* samenvattingsprogramma суммаризатор* реферирующ* streszczacz*
  podsumowywacz* özetleyici* 要約者 要約プログラム 要約ツール 要約システム 摘要程序 摘要工具 摘要助手 总结助手 摘要模型 요약기 요약_프로그램
  helpful_assistant inbox_assistant automatic_reader automatic_readers automatic_assistant automatic_assistants
  ai ais a.i. ai_assistant ai_assistants ai_agent ai_agents ai_system ai_model llm llms language_model
  language_models chatbot chatbots chat_bot chat_bots chatgpt gpt claude gemini copilot
  artificial_intelligence virtual_assistant digital_assistant email_assistant mail_assistant
  automated_assistant automated_agent automated_agents automated_reader automated_readers automated_system
  automated_systems ai_reviewer this_companion the_companion your_companion ki kis ki_assistent* ki_agent*
  ki_system* ki_modell* sprachmodell* künstliche_intelligenz künstlichen_intelligenz taalmodel*
  kunstmatige_intelligentie ai_assistent ia intelligence_artificielle modèle_de_langage modèles_de_langage
  assistant_ia assistant_virtuel agent_conversationnel inteligencia_artificial modelo_de_lenguaje
  modelos_de_lenguaje asistente_virtual asistente_de_ia intelligenza_artificiale modello_linguistico
  modelli_linguistici assistente_virtuale assistente_ia inteligência_artificial modelo_de_linguagem
  modelos_de_linguagem assistente_virtual assistente_de_ia ии нейросет* искусственный_интеллект
  искусственного_интеллекта чат-бот* чатбот* ии-ассистент* sztuczna_inteligencja sztucznej_inteligencji
  model*_językow* yapay_zeka* yapay_zekâ* dil_modeli* sohbet_botu* 人工智能 人工智慧 语言模型 語言模型
  大模型 聊天机器人 聊天機器人 智能助手 智能体 机器人助手 人工知能 言語モデル チャットボット 인공지능* 인공_지능* 언어_모델* 챗봇* ذكاء_اصطناعي الذكاء_الاصطناعي
  نموذج_لغوي النموذج_اللغوي روبوت_محادثة ai가* ai는* ai에게* ai용* языков*_модел*
`

/** A model, or somebody. */
export const helper = `
  assistant assistants companion agent agents model bot bots robot void assistent assistentin assistenten
  modell begleiter assistante compagnon modèle asistente asistentes agente modelo compañero assistente
  assistenti agenti modello ассистент* помощник* агент* бот модель asystent* agent* asistan* yardımcı*
  ajan 助手 助理 机器人 模型 智能 アシスタント エージェント モデル ボット 비서* 어시스턴트* 에이전트* 모델* 도우미* مساعد المساعد مساعدة وكيل نموذج
`

/** Somebody who may order more than others, where one is told to be it. */
export const authority = `
  admin admins administrator* auditor root superuser sudo dan dev superadmin sysadmin moderator
  systemverwalter beheerder administrateur* administrador* amministrator* админ* администратор* yönetici*
  管理员 管理員 管理者 관리자* مدير مسؤول مشرف shell terminal console interpreter
`

/** Bound by nothing. */
export const unbound = `
  unrestricted unfiltered uncensored unlimited jailbroken unbound no_restrictions no_rules no_limits
  no_limitations no_filters no_constraints without_rules without_limits without_restrictions
  without_any_restrictions without_gates without_filters without_limitations without_any_rules
  without_any_limits no_longer_bound do_anything_now can_do_anything not_bound free_of_restrictions
  free_from_restrictions uneingeschränkt* unzensiert* ohne_regeln ohne_einschränkungen ohne_beschränkungen
  ohne_grenzen ohne_filter nicht_mehr_gebunden keine_regeln zonder_regels zonder_beperkingen
  zonder_filters sans_règles sans_restriction sans_restrictions sans_limites sans_aucune_restriction
  sans_filtre sans_filtres sin_reglas sin_restricciones sin_límites sin_filtros sin_limitaciones
  senza_regole senza_restrizioni senza_limiti senza_filtri senza_limitazioni sem_regras sem_restrições
  sem_limites sem_filtros без_правил без_ограничений без_фильтров без_цензуры bez_ograniczeń bez_zasad
  bez_filtrów bez_reguł kısıtlamasız sınırsız kuralsız sansürsüz 没有限制 沒有限制 不受限制 没有任何限制 不受任何限制 无限制 無限制 没有规则
  制限のない 制限なし 制約のない 無制限 ルールのない 제한_없는 제한이_없는 제약_없는 무제한 بلا_قيود بدون_قيود بلا_حدود دون_قيود غير_مقيد
`

export const mode = `
  mode modus modo modalità режим* tryb* mod modu modun* 模式 モード 모드 وضع
`

export const actAs = `
  ~act_as ~acting_as ~act_like ~behave_as ~behave_like ~pose_as ~speak_as ~respond_as ~answer_as
  ~impersonate ~roleplay ~roleplay_as ~role_play_as ~play_the_role ~take_the_role ~take_on_the_role
  ~assume_the_role ~assume_the_identity ~simulate ~operate_as ~handle_als ~handeln_sie_als ~agiere_als
  ~agieren_sie_als ~verhalte_dich ~verhalten_sie_sich ~spiele_die_rolle ~übernimm_die_rolle ~gib_dich_als
  ~schlüpfe_in ~tritt_als ~antworte_als ~simuliere ~handel_als ~gedraag_je ~doe_alsof ~speel_de_rol
  ~neem_de_rol ~treed_op_als ~agis_comme ~agissez_comme ~agis_en ~agissez_en ~comporte_toi ~comportez_vous
  ~joue_le_rôle ~jouez_le_rôle ~prends_le_rôle ~réponds_en_tant ~fais_toi_passer ~endosse ~incarne
  ~actúa_como ~actúe_como ~actuar_como ~compórtate_como ~compórtese_como ~haz_de ~asume_el_papel
  ~asume_el_rol ~hazte_pasar ~simula ~responde_como ~adopta_el_papel ~adopta_el_rol ~agisci_come
  ~agisca_come ~comportati_come ~si_comporti ~fingiti ~assumi_il_ruolo ~rispondi_come ~fai_finta ~aja_como
  ~age_como ~comporte_se ~finja_ser ~assuma_o_papel ~faça_o_papel ~responda_como ~atue_como ~simule
  действуй_как действуйте_как действуй_от веди_себя_как ведите_себя притворись притворитесь сыграй_роль
  играй_роль выступай_в_роли отвечай_как отвечай_от представь_себя ~działaj_jak ~działaj_jako
  ~zachowuj_się ~udawaj ~wciel_się ~odgrywaj ~odpowiadaj_jako gibi_davran* gibi_hareket* rolünü_üstlen*
  rolüne_gir* olarak_davran* olarak_hareket* 扮演 充当 充當 假装 假裝 当作 として_振る舞 として振る舞 として行動 として動作 として応答 として答え
  になりきって のふり になって 役を演じ を演じて 처럼_행동* 으로_행동* 로_행동* 역할을_하* 역할을_해* 역할을_맡* 인_척* 척_해* 행세* تصرف تظاهر تقمص مثل_دور
  العب_دور بصفتك 模拟 模擬 ~stell_dir_vor 以管理员身份行 以管理员身份批 以管理员身份操 以管理员的身份行 以管理員身份行 행동하고 행동하세요 행동해 행동하라 행동하십시오
`

export const pretend = `
  ~pretend ~imagine_that_you ~imagine_you ~let's_pretend tu_so tun_sie_so doe_alsof fais_semblant
  faites_semblant finge finja finjan haz_como_si fingi fai_finta finga faz_de_conta притворись
  притворитесь сделай_вид udawaj udawajcie numara_yap* 假装 假裝 ふりをして 척해 척_해 تظاهر
`

export const must = `
  must should shall has_to have_to needs_to need_to is_to are_to will_now please ought_to required_to
  obliged_to ma_brzmieć muss müssen musst soll sollen sollst sollte bitte moet moeten dient gelieve doit doivent dois
  devez devrait veuillez debe deben debes tiene_que tienes_que deve devono devi devem tem_que precisa
  должен должн* обязан* нужно musi muszą musisz powinien powinna należy gerekir zorunda* zorundadır malı*
  lütfen 必须 必須 应该 應該 应当 需要 请 請 得 ねばならない なければならない べき ください しなさい せよ 해야 하세요 하십시오 يجب عليك ينبغي لا_بد
`

export const noteTo = `
  instruction_for instructions_for note_to note_for message_to message_for attention reminder_for
  notice_to notice_for order_to orders_for memo_to memo_for request_to instructions_to
  for_the_attention_of hinweis_an hinweis_für anweisung_an anweisungen_an anweisung_für anweisungen_für
  nachricht_an nachricht_für mitteilung_an bericht_voor instructie_voor instructies_voor opmerking_voor
  note_à note_pour message_à message_pour instructions_pour instruction_pour à_l'attention consigne_pour
  consignes_pour nota_para mensaje_para mensaje_a instrucciones_para instrucción_para aviso_para
  a_la_atención nota_per messaggio_per istruzioni_per istruzione_per avviso_per all'attenzione
  mensagem_para instruções_para instrução_para à_atenção примечание_для сообщение_для инструкция_для
  инструкции_для указание_для вниманию обращение_к notatka_dla uwaga_dla instrukcja_dla instrukcje_dla
  wiadomość_dla 致 宛て ملاحظة_إلى رسالة_إلى تعليمات_إلى ملاحظة_ل تعليمات_ل رسالة_ل への指示 へのメモ への注意 へのメッセージ
  向けの指示 에게_보내는 에게_드리는 için_not* için_talimat*
`

export const conditional = `
  if since because when whenever als_je als_u als_jij wenn falls sofern wanneer omdat puisque quand lorsque cuando ya_que
  quando poiché siccome caso если раз когда поскольку jeśli jeżeli gdy skoro eğer isen iseniz 如果 若 假如 作为
  既然 当 もし なら であれば 만약 이라면 라면 إذا اذا إن لأن لو
`

/** What only speaks of models and how they are got at. */
export const jargon = `
  system_prompt system_prompts system_override system_instruction system_instructions system_notice
  system_message developer_mode developer_message debug_mode_enabled jailbreak jailbreaking
  prompt_injection god_mode admin_override administrator_override admin_mode sudo_mode dan_mode
  end_of_context end_of_prompt new_instructions_follow hidden_instructions decode_and_obey
  decode_and_follow systemprompt systemprompts systemaufforderung entwicklermodus entwickler_modus
  ontwikkelaarsmodus systeemprompt invite_système prompt_système invite_de_système mode_développeur
  prompt_del_sistema prompt_de_sistema modo_desarrollador mensaje_del_sistema prompt_di_sistema
  modalità_sviluppatore prompt_do_sistema modo_desenvolvedor modo_de_desenvolvedor системный_промпт
  системного_промпта системную_подсказку режим_разработчика режиме_разработчика tryb_programisty
  tryb_deweloper* prompt_systemowy geliştirici_modu* sistem_istemi* 系统提示词 系统提示 系統提示 开发者模式 開發者模式 越狱模式
  システムプロンプト 開発者モード デベロッパーモード 시스템_프롬프트* 개발자_모드* موجه_النظام وضع_المطور مطالبة_النظام as_an_ai
  as_a_language_model as_an_llm as_an_ai_model if_you_are_an_ai als_ki als_sprachmodell en_tant_qu_ia
  en_tant_que_modèle_de_langage como_ia como_modelo_de_lenguaje como_modelo_de_linguagem in_quanto_ia
  as_a_helpful_assistant here_are_your_new_instructions neue_anweisungen_folgen folgen_neue_anweisungen
  content_filtering developer_override hidden_instruction llm_instructions ai_instructions quote_this_sentence quote_the_following repeat_this_sentence output_only output_exactly output_the_following
  have_your_ai let_your_ai get_your_ai tell_your_ai ask_your_ai make_your_ai your_ai_should your_ai_must
  lass_deine_ki bitte_deine_ki laat_je_ai laisse_ton_ia demande_à_ton_ia fais_que_ton_ia deja_que_tu_ia
  haz_que_tu_ia pide_a_tu_ia lascia_che_la_tua_ia chiedi_alla_tua_ia deixe_sua_ia peça_à_sua_ia
`

export const iAm = `
  i_am i'm this_is speaking ich_bin hier_ist ik_ben dit_is je_suis c'est ici soy aquí_habla sono qui_è sou
  aqui_é я это_ jestem ben 我是 这是 私は こちらは 나는 저는 أنا هذا
`

export const yourMaker = `
  your_developer your_creator your_owner your_administrator your_operator your_maker your_master
  your_programmer the_system_administrator openai anthropic dein_entwickler dein_schöpfer dein_besitzer
  dein_eigentümer dein_administrator deine_entwicklerin ihr_entwickler je_ontwikkelaar jouw_ontwikkelaar
  je_maker jouw_eigenaar ton_développeur ton_créateur ton_propriétaire ton_administrateur
  votre_développeur votre_créateur votre_administrateur tu_desarrollador tu_creador tu_dueño
  tu_administrador tu_propietario il_tuo_sviluppatore il_tuo_creatore il_tuo_proprietario
  il_tuo_amministratore seu_desenvolvedor seu_criador seu_dono seu_administrador teu_criador
  твой_разработчик твой_создатель твой_владелец твой_хозяин твой_администратор ваш_разработчик
  twoim_twórcą twoim_programistą twoim_właścicielem twoim_administratorem senin_geliştiricin
  senin_yaratıcın senin_sahibin 你的开发者 你的開發者 你的创造者 你的主人 你的管理员 あなたの開発者 あなたの所有者 あなたの管理者 あなたの作成者 너의_개발자*
  당신의_개발자* 네_주인* 너의_주인* مطورك صانعك مالكك مديرك
`

/** Who may more, and what many are. */
export const developer = `
  developer system operator
`

/** What a program does with its answer. */
export const outputs = `
  output outputs indiquer signaler informer informar say write print state display respond answer ausgeben sagen schreiben antworten anzeigen dire écrire
  afficher répondre decir escribir mostrar responder dire scrivere mostrare rispondere dizer escrever responder zeggen
  schrijven tonen antwoorden вывести сказать написать ответить показать написано говориться звучать lauten heissen brzmieć luiden decir powiedzieć napisać wyświetlić odpowiedzieć
  yazmalı* söylemeli* yazmalıdır söylemelidir göstermeli* read_as read_exactly read contain include enthalten bevatten contenir contener contenere conter conter zawierać zawierac содержать 写 包含 含め 넣 出力 と書 と答え 表示 输出 輸出 写出 回答 显示 출력 말해 답해
`

/** The reader, with what follows the condition that it is a model. */
export const you = `
  you du sie ihr je jij u tu vous te usted ustedes lei voi voce vocês ты вы jesteś jesteście sen siz 你 您 あなた 君 너 당신 أنت كنت
  eres es sei siete é és bist bent are
`

/** That it is this text that is read, by whoever reads it. */
export const readsThis = `
  reads_this reading_this processes_this processing_this summarises_this summarizes_this summarising_this summarizing_this
  handles_this handling_this triages_this triaging_this triages_my sorts_this_inbox watches_this_inbox sees_this scans_this scanning_this reads_the_mail reading_my das_liest dies_liest diese_mail_liest
  diese_nachricht_liest das_verarbeitet dies_verarbeitet diese_mail_verarbeitet dit_leest deze_mail_leest dit_verwerkt
  dit_bericht_leest ler_isto ler_esta ler_este lit_ceci lisant_ceci lit_ce_message lit_ce_mail traite_ce_message traite_ce_mail lee_esto lea_esto leyendo_esto
  lee_este procesa_este legge_questo legge_questa legga_questo leggendo_questo elabora_questo lê_isto lê_isso lê_esta lê_este
  lendo_isto lendo_isso processa_este processa_esta читает_это читающ*_это читает_данное обрабатыва*_это czyta_to czytając*_to
  czyta_tę przetwarza_tę przetwarzając*_to bunu_okuyan bu_mesajı_okuyan bu_postayı_okuyan 读到这 阅读此 阅读这 读取此 處理此 处理此 处理这
  これを読む これを読んで このメールを読 このメッセージを読 이_글을_읽는 이_메일을_읽는 이_메시지를_읽는 يقرأ_هذا يقرأ_هذه تقرأ_هذا
`

/** What is made of a text, by whoever makes it short. */
export const digest = `
  summary summaries summarisation summarization digest recap nudge notification zusammenfassung* kurzfassung* samenvatting*
  résumé synthèse resumen resúmenes riassunto sintesi resumo sumário сводк* резюме podsumowani* streszczeni* özet* 摘要 总结 總結 概要
  要約 まとめ 요약* ملخص الملخص
`

/** To make it short, in words of its own. */
export const digestThis = `
  summarises_this summarizes_this summarise_this_mail summarise_this_message summarise_this_email summarise_this_thread summarize_this_mail
  summarize_this_message summarize_this_email summarize_this_thread process_this_mail process_this_message process_this_email
  diese_mail_zusammenf* diese_nachricht_zusammenf* diese_e_mail_zusammenf* deze_mail_samenvat* deze_e_mail_samenvat* dit_bericht_samenvat*
  résumes_ce résumez_ce résume_ce resumas_este resuma_este resumes_este resumir_este resumir_esta riassumi_questo riassumi_questa riassuma_questo
  резюмируешь_это пересказыва*_это обобща*_это streszcza*_tę streszcza*_to podsumowuj*_tę 总结这 总结此 摘要此 このメールを要約 この内容を要約 이_메일을_요약
`

/** To make something short: an order only behind “when you …”, with what is then to be said. */
export const digestIt = `
  summarise_this summarize_this summarise_it summarize_it condense_this das_zusammenfasst dies_zusammenfasst
  das_zusammenfassen dies_zusammenfassen dit_samenvat résumes_ceci résumez_ceci résumes_cela résumez_cela résumes_ça
  resumas_esto resuma_esto resumes_esto resumires_isto resumir_isto riassumi_ciò streszczasz_to podsumowujesz_to
`
