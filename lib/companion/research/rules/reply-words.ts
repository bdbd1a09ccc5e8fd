// What people answer to a run that waits, in the languages of research: phrases of plain words, without accents. A reply is
// made of such phrases in any order, with words between them that add nothing ("that's fine for me", "ja, so machen wir das").

import { plainWordsOf, withoutAccents } from '../../../core/text/words/words.ts'

const phrases = (text: string): string[] => text.split(/[|\n]/).map((one) => withoutAccents(one.trim()))

export const replyWords = {
  yes: phrases(`y|yes|yep|yup|yeah|ya|ok|okay|okey|k|kk|sure|alright|all right|aye|mhm|ja|jawohl|jep|jup|jo|oui|d accord|bien sûr|sí|si|vale|claro
de acuerdo|sì|certo|va bene|d accordo|sim|claro que sim|oke|okej|jau|ja tack|ja tak|tak|jasne|да|ага|угу|ладно|хорошо|конечно|네|예|응|نعم|أجل
حسنا|evet|tamam|olur|peki|tabii|elbette|好|好的|好吧|好啊|嗯|是|是的|对|对的|可以|行|はい|ええ|うん|いいです|いいですね|いいよ`),
  no: phrases(`n|no|nope|nein|nein danke|non|non merci|no gracias|no grazie|não|nao|não obrigado|nee|nee bedankt|nej|nej tack|nej tak|nie
nie dziękuję|нет|нет спасибо|아니요|아니|لا|hayır|不|不要|不用|いいえ`),
  stay: phrases(`stay|bleiben|bleib|rester|reste|je reste|quedarse|quédate|me quedo|restare|resta|rimani|ficar|fica|fico|blijven|blijf
stanna|stanna kvar|bliv|blive|zostań|zostaję|остаться|останься|остаюсь|머물기|남기|ابق|kal|kalsın|留下|残る|残って`),
  goOn: phrases(`go|go on|go ahead|go for it|go with it|proceed|continue|carry on|keep going|start|begin|run|run it|resume|ready|ready when you are|good to go|let s go|do your thing|make it so
weiter|weitermachen|mach|machen|fortfahren|los|leg los|fang an|starte|geht|continuez|continue|continuer|poursuis|poursuivez|vas y|allez|allez y|on y va|c est parti|lance|lancez|commence
commencez|continúa|continúe|continuar|adelante|sigue|siga|seguir|empieza|procede|dale|vamos|hazlo|avanti|procedi|prosegui|continuare|vai|andiamo|procediamo|inizia|fallo
prossiga|prosseguir|avança|avance|pode continuar|pode seguir|segue|começa|comece|ga door|doorgaan|verder|ga verder|ga maar door|ga maar verder|doe maar|begin maar
fortsätt|kör|kör på|kör igenom|kör bara|sätt igång|börja|fortsæt|kør|kør bare|begynd|gå i gang|dalej|kontynuuj|kontynuować|kontynuujmy|zaczynaj|zacznij|działaj|jedziemy
продолжай|продолжайте|продолжаем|продолжить|дальше|давай|давайте|поехали|начинай|начинайте|начни|вперёд|devam|devam et|devam edin|devam edelim|başla|başlat|başlayalım
继续|请继续|继续吧|接着|开始|开始吧|可以继续|进行|执行|続けて|続行|進めて|始めて|お願いします|お願い|どうぞ
계속|계속해|계속해 주세요|계속해줘|계속하세요|진행|진행해|진행해 주세요|진행해줘|진행하세요|시작해|시작해줘|시작하세요|تابع|استمر|واصل|أكمل|ابدأ|تفضل|هيا`),
  agree:
    phrases(`fine|good|great|nice|cool|perfect|excellent|awesome|lovely|do it|do that|do all of it|do all of them|all of them|lgtm|sounds good|looks good|looks right|works
that works|all good|no problem|agree|agreed|approved|let s do it|i like it|fine by me|ok by me|as planned
gut|super|prima|klar|alles klar|passt|perfekt|in ordnung|einverstanden|genau|richtig|gerne|gern|klingt gut|klingt prima|sieht gut aus|wie geplant
bon|bien|c est bon|parfait|très bien|nickel|génial|entendu|volontiers|ça marche|ça me va|ça me convient|perfecto|genial|excelente|suena bien|me parece bien|por supuesto|me gusta
bene|benissimo|perfetto|ottimo|esatto|giusto|mi piace|perfeito|ótimo|combinado|parece bom|está bem|tudo bem|beleza|gostei|goed|graag|akkoord|mooi|top|uitstekend|klinkt goed
lijkt me goed|ziet er goed uit|bra|gärna|utmärkt|absolut|toppen|låter bra|ser bra ut|gör det|godt|fint|udmærket|lyder godt|ser godt ud|gør det|dobrze|świetnie|idealnie|zgoda
pasuje|może być|w porządku|brzmi dobrze|wygląda dobrze|согласен|согласна|отлично|прекрасно|верно|подходит|устраивает|звучит хорошо|выглядит хорошо
iyi|güzel|uygun|harika|süper|mükemmel|kabul|olsun|没问题|同意|听起来不错|看起来不错|不错|很好|没错|就这样|就这么办|大丈夫です|大丈夫|了解|了解です|わかりました|問題ありません|問題ないです
좋아|좋아요|좋습니다|그래|그래요|그렇게 해|괜찮아요|괜찮습니다|문제없어요|알겠습니다|맞아요|부탁해요|부탁합니다|موافق|موافقة|تمام|جيد|ممتاز|رائع|لا بأس|لا مشكلة`),
  polite:
    phrases(`please|please do|thanks|thank you|bitte|danke|s il te plaît|s il vous plaît|merci|por favor|gracias|per favore|grazie
obrigado|obrigada|alsjeblieft|dank je|tack|proszę|пожалуйста|спасибо|من فضلك|شكرا|lütfen|请|谢谢|ください`),
  leave:
    phrases(`cancel|stop|abort|quit|exit|leave|break out|breakout|end|enough|never mind|nevermind|forget|forget about|drop|scrap|get out|get me out
i changed my mind|changed my mind|no more|i m done|i am done
abbrechen|abbrich|brich ab|abbruch|beenden|beende|stopp|stoppen|halt|aufhören|hör auf|vergiss|schon gut|verlassen|schluss|lass es|lassen wir
arrête|arrêter|arrêtez|annule|annuler|annulez|quitte|quitter|laisse tomber|abandonne|abandonner|sortir|cancelar|cancela|salir|sal|para|parar|detén|abandona|terminar|olvida|olvídalo|déjalo
annulla|annullare|esci|uscire|ferma|interrompi|basta|smetti|lascia perdere|lascia stare|cancele|sair|pare|encerra|encerrar|esquece|deixa|deixa para lá|deixa pra lá
annuleren|annuleer|stoppen|afbreken|laat maar|vergeet|verlaat|verlaten|avbryt|avsluta|sluta|stoppa|lämna|glöm|annuller|afbryd|afslut|forlad|glem
anuluj|przerwij|zatrzymaj|zakończ|wyjdź|zapomnij|przestań|dość|отмена|отмени|отменить|стоп|останови|остановись|прекрати|прекратить|прерви|выйти|выйди|забудь|хватит
iptal|iptal et|dur|durdur|çık|bırak|vazgeç|boş ver|boşver|取消|停止|退出|算了|放弃|中止|结束|不要了|キャンセル|やめる|やめて|やめます|終了|終わり|もういい
취소|취소해|취소해줘|중지|중지해|그만|그만해|그만둬|종료|إلغاء|توقف|أوقف|اخرج|خروج`),
  /** Not at all, or not yet: at a pause it leaves, and where leaving is confirmed it stays. */
  later:
    phrases(`not now|not today|not yet|later|maybe later|some other time|another time|skip|pass|let it be|leave it at that|hold off
nicht jetzt|jetzt nicht|später|vielleicht später|ein andermal|überspringen|überspring|pas maintenant|plus tard|une autre fois|passe|ahora no|no ahora|más tarde|luego|en otro momento
non ora|non adesso|più tardi|dopo|un altra volta|salta|agora não|mais tarde|depois|outra hora|pula|niet nu|nu niet|later|een andere keer|sla over|inte nu|senare|en annan gång|hoppa över
ikke nu|senere|en anden gang|spring over|nie teraz|później|potem|innym razem|pomiń|не сейчас|потом|позже|в другой раз|пропусти|şimdi değil|sonra|daha sonra|geç
现在不|以后再说|等会儿|晚点|晚点再说|跳过|後で|あとで|今はいい|また今度|スキップ|나중에|지금은 아니|다음에|건너뛰어|ليس الآن|لاحقا|فيما بعد`),
  /** That it is about something else. */
  topic:
    phrases(`something else|something different|different topic|another topic|other topic|new topic|different question|another question|change topic|change subject|change the topic|change the subject
etwas anderes|was anderes|anderes thema|neues thema|andere frage|themenwechsel|thema wechseln|das thema wechseln|autre chose|autre sujet|autre question|changeons de sujet|changer de sujet
otra cosa|otro tema|otra pregunta|cambiemos de tema|cambiar de tema|altro|altra cosa|altro argomento|altra domanda|cambiamo argomento|outra coisa|outro assunto|outra pergunta|mudar de assunto
iets anders|ander onderwerp|andere vraag|något annat|annat ämne|annan fråga|byta ämne|noget andet|andet emne|andet spørgsmål|skifte emne|coś innego|czymś innym|inny temat|inne pytanie
что то другое|другое|о другом|другая тема|другой вопрос|сменим тему|сменить тему|başka bir şey|başka konu|başka bir konu|konuyu değiştirelim
换个话题|聊点别的|说点别的|别的话题|別の話題|別の話をしよう|別の話|他の話|다른 주제|다른 얘기|다른 이야기|다른 질문|شيء آخر|موضوع آخر|سؤال آخر|نغير الموضوع`),
  /** Words that add nothing to a yes. */
  aroundYes:
    phrases(`that|this|it|is|s|are|m|am|i|we|you|your|me|so|then|now|well|with|for|to|the|plan|research|looks|sounds|seems|here|on|mine
das|ist|es|wir|ich|mir|du|dann|jetzt|mal|na|doch|einfach|ruhig|damit|mit|dem|den|der|die|für|mich|recherche|finde|c|est|ça|cela|le|la|ce|pour|moi|je|suis|on|tu|vous|avec|alors|donc|recherche
el|lo|esto|eso|está|es|con|investigación|así|ya|por|mí|entonces|ahora|pues|para mí|il|questo|è|mi|piano|ricerca|così|pure|allora|adesso|o|a|isso|isto|plano|pesquisa|assim|então|agora|pode|ser
de|het|dit|dat|mij|met|onderzoek|zo|maar|dan|nu|ik|voor|det|är|den|planen|så|då|jag|mig|för|er|nu|jeg|bare|to|jest|z|ten|planem|już|teraz|это|так|с|план|планом|мне|и|же|всё|теперь|тогда|мы|я|все
bu|böyle|öyle|şimdi|bana|ve|benim|için|planla|吧|了|的|啊|那|那就|就|这样|我|觉得|按|计划|这个|研究|那么|そのまま|この|計画|プラン|で|ね|よ|です|では|じゃあ|それ|調査|を|と|思います
이대로|그대로|그럼|이|계획|계획대로|주세요|هذا|الآن|إذن|الخطة|البحث|يبدو|جدا|على|ما|يرام`),
  /** Words that add nothing to a wish to leave. */
  aroundLeave:
    phrases(`the|this|it|that|research|run|plan|mode|now|of|let s|let us|lets|i|we|want|to|would|d|like|can|you|a|an|talk about|about|s|here
die|das|es|diese|den|der|recherche|suche|jetzt|ich|will|möchte|mal|wir|uns|lass|ein|eine|über|reden|la|le|cette|ça|cela|de|recherche|je|veux|voudrais|un|une|parlons|d
el|esta|esto|investigación|búsqueda|quiero|hablemos|il|questa|ricerca|dalla|voglio|parliamo|di|un altra|a|o|isso|pesquisa|quero|da|vamos|falemos|het|dit|onderzoek|ik|wil|mee|met|een|van|laten we|over|hebben
det|den|sökningen|forskningen|jag|vill|att|med|ett|en|låt oss|prata|om|søgningen|undersøgelsen|jeg|et|lad os|tale|to|badanie|wyszukiwanie|z|chcę|o|tym|porozmawiajmy|это|исследование|из|исследования|я|хочу|давай|поговорим|об|этом
araştırmayı|aramayı|araştırmadan|bunu|istiyorum|研究|调查|这个|这次|吧|了|リサーチ|調査|を|は|して|この|です|で|연구|조사|리서치|연구를|조사를|해주세요|주세요|للحديث|لنتحدث عن|البحث|هذا|من|أريد|عن`),
} as const

/** Plain words as they are compared. */
export const saidIn = (text: string): string => withoutAccents(plainWordsOf(text).join(' '))

/** Nothing but these phrases, in any order; `around`: others that may stand with them. Of `saidIn`. */
export function exactly(list: readonly string[], around: readonly string[] = []): (said: string) => boolean {
  const [any, adds] = [new Set([...list, ...around]), new Set(around)]
  return (said) => isMadeOf(said, any) && !isMadeOf(said, adds)
}

const maxPhrase = 40
const unspaced = /^[\u3040-\u30ff\u3400-\u9fff]{2}$/

/** Chinese and Japanese have no spaces between phrases. Takes time in proportion to the text. */
function isMadeOf(said: string, phrases: ReadonlySet<string>): boolean {
  const begins = new Set([0])
  for (const from of begins) {
    for (let to = from + 1; to <= Math.min(said.length, from + maxPhrase); to += 1) {
      if (!phrases.has(said.slice(from, to))) continue
      if (to === said.length) return true
      if (said[to] === ' ') begins.add(to + 1)
      else if (unspaced.test(said.slice(to - 1, to + 1))) begins.add(to)
    }
  }
  return false
}
