// What people answer to a run that waits, in the languages of research: words without accents of punctuation, as
// `plainWordsOf` gives them.

const phrases = (text: string): string[] => text.split(/[|\n]/).map((one) => one.trim())

export const replyWords = {
  yes: phrases(`y|yes|yep|yeah|ok|okay|sure|alright|all right|ja|jawohl|oui|d accord|bien sûr|sí|si|vale|claro|de acuerdo|sì|certo|va bene
d accordo|sim|claro que sim|okej|ja tack|ja tak|tak|jasne|да|ладно|хорошо|네|예|نعم|حسنا|evet|tamam|olur|好|好的|是|是的|可以|行|はい|いいです`),
  no: phrases(`n|no|nope|nein|nein danke|non|non merci|no gracias|no grazie|não|nao|não obrigado|nee|nee bedankt|nej|nej tack|nej tak|nie
nie dziękuję|нет|нет спасибо|아니요|아니|لا|hayır|不|不要|不用|いいえ`),
  stay: phrases(`stay|bleiben|bleib|rester|reste|je reste|quedarse|quédate|me quedo|restare|resta|rimani|ficar|fica|fico|blijven|blijf
stanna|stanna kvar|bliv|blive|zostań|zostaję|остаться|останься|остаюсь|머물기|남기|ابق|kal|kalsın|留下|残る|残って`),
  goOn: phrases(`go|go on|go ahead|proceed|continue|carry on|keep going|start|run|run it|resume|weiter|mach weiter|fortfahren|los|leg los
continuez|vas y|allez y|on y va|continúa|continua|adelante|sigue|avanti|procedi|vai|continue assim|prossiga|avança|avance|pode continuar
ga door|doorgaan|verder|ga verder|fortsätt|kör|kör på|fortsæt|dalej|kontynuuj|продолжай|продолжайте|дальше|давай
계속|계속해|계속해 주세요|진행해|تابع|استمر|devam|devam et|devam edin|继续|请继续|続けて|続けてください
go for it|let s do it|start it|weitermachen|weiter geht s|on continue|c est parti|lance|lancez|dale|andiamo|procediamo|pode seguir|segue|vamos
ga maar verder|ga maar door|doe maar|kör igenom|kör bara|kør|kør bare|działaj|поехали|давайте|начинай|başla|继续吧|开始吧|可以继续|進めてください
どうぞ|진행해 주세요|진행하세요|계속하세요|시작해|أكمل|ابدأ|تفضل`),
  agree:
    phrases(`fine|good|great|perfect|do it|do that|looks good|looks good to me|lgtm|sounds good|works for me|that works|all good|agreed
approved|let s go|as planned|right|correct|with this plan|with it|gut|passt|in ordnung|einverstanden|genau|sieht gut aus|gerne|so machen
c est bon|parfait|très bien|perfecto|está bien|bien|perfetto|perfeito|está bem|prima|goed|graag|akkoord|is goed
bra|gärna|det blir bra|godt|fint|dobrze|zgoda|może być|согласен|согласна|좋아요|موافق
alles klar|klar|super|mach das|klingt gut|klingt prima|gut so|ça marche|nickel|perfetto così|suena bien|me parece bien|por supuesto|ottimo
ótimo|combinado|parece bom|klinkt goed|lijkt me goed|låter bra|gör det|lyder godt|gør det|w porządku|brzmi dobrze|отлично|подходит|звучит хорошо
iyi|güzel|uygun|harika|没问题|同意|听起来不错|大丈夫です|大丈夫|それでお願いします|了解です|좋습니다|그래|그렇게 해 주세요|جيد|ممتاز`),
  polite:
    phrases(`please|please do|thanks|thank you|bitte|danke|s il te plaît|s il vous plaît|merci|por favor|gracias|per favore|grazie
obrigado|obrigada|alsjeblieft|dank je|tack|proszę|пожалуйста|من فضلك|lütfen|お願いします`),
  leave:
    phrases(`cancel|cancel it|cancel this|cancel research|stop|stop it|stop research|stop the research|abort|quit|quit research|exit
exit research|leave|leave it|leave research|break out|breakout|end research|never mind|nevermind|forget it|forget about it|something else
i want something else|different topic|another topic|other topic|change topic|change the topic|change the subject
abbrechen|abbruch|beenden|stopp|halt|vergiss es|schon gut|etwas anderes|anderes thema|themenwechsel
arrête|arrêter|annuler|annule|quitter|laisse tomber|autre chose|autre sujet|changeons de sujet
cancelar|cancela|salir|para|olvídalo|déjalo|otra cosa|otro tema|cambiemos de tema
annulla|esci|basta|lascia perdere|lascia stare|altro|altra cosa|altro argomento|sair|pare|esquece|deixa|outra coisa|outro assunto
annuleren|annuleer|stoppen|laat maar|iets anders|ander onderwerp|avbryt|sluta|glöm det|något annat|annat ämne
annuller|afbryd|glem det|noget andet|andet emne|anuluj|przerwij|zapomnij|coś innego|inny temat
취소|중지|그만|다른 주제|إلغاء|توقف|اخرج|شيء آخر|موضوع آخر
отмена|отменить|стоп|выйти|забудь|что то другое|другое|другая тема|iptal|dur|çık|boş ver|boşver|başka bir şey|başka konu
取消|停止|退出|算了|换个话题|キャンセル|やめる|やめて|中止|別の話題
talk about something else|let s talk about something else|i want to talk about something else|lass uns über etwas anderes reden|wechseln wir das thema
parlons d autre chose|hablemos de otra cosa|parliamo d altro|cambiamo argomento|deixa para lá|deixa pra lá|mudar de assunto|vamos mudar de assunto
laten we het over iets anders hebben|låt oss prata om något annat|lad os tale om noget andet|porozmawiajmy o czymś innym|поговорим о другом|давай о другом
vazgeç|bırak|konuyu değiştirelim|聊点别的|说点别的|別の話をしよう|他の話|다른 얘기|다른 이야기|لنتحدث عن شيء آخر|نغير الموضوع`),
} as const

/** Nothing but these phrases, in any order. */
export function exactly(...list: readonly string[]): RegExp {
  const any = list.toSorted((a, b) => b.length - a.length).join('|')
  return new RegExp(`^(?:${any})(?: (?:${any}))*$`)
}
