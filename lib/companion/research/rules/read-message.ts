// What a message to a run that waits comes to, by exact words first and then by what a classifier made of it.

import { ResearchDepth } from '../../../contract/research.ts'
import { plainWordsOf } from '../../../core/text/words/words.ts'

/**
 * `beside`: a task or reminder, which is answered while the run waits as before.
 * `confirm`: the owner is asked whether to leave the run for this message. `stay`: the run waits as before, and the next
 * message is for it. `leave`: the run is left, and `text` is answered.
 */
type PausedMessage =
  | { kind: 'go_on' | 'cancel' | 'change' | 'confirm' | 'stay' | 'beside' }
  | { kind: 'leave'; text: string }

/**
 * `breakOut`: the message that waits to be confirmed; '' once the owner has stayed; `null` for none. `isElse`: a
 * classifier takes this message for something else than an answer to the run.
 */
export function readMessage(
  text: string,
  { breakOut, isElse }: { breakOut: string | null; isElse: boolean },
): PausedMessage {
  if (asksForTask.test(text.trim().slice(0, maxLength * 2))) return { kind: 'beside' }
  if (!breakOut) {
    const { kind } = readReply(text)
    const leaves = kind === 'cancel' || (kind === 'change' && isElse && breakOut === null)
    return { kind: leaves ? 'confirm' : kind }
  }
  const kind = readConfirmation(text)
  // There is nothing to answer in it.
  if (kind === 'leave' && isCancel(breakOut)) return { kind: 'cancel' }
  if (kind === 'leave') return { kind, text: breakOut }
  return kind === 'other' ? { kind: 'leave', text } : { kind }
}

/** Whether these words only leave. */
export const isCancel = (text: string): boolean => readReply(text).kind === 'cancel'

/** Whether a classifier has to say what a message is. */
export const isUnclear = (text: string, breakOut: string | null): boolean =>
  breakOut === null &&
  readReply(text).kind === 'change' &&
  !planChange.test(text.trim()) &&
  !asksForTask.test(text.trim().slice(0, maxLength * 2))

/** A task or a reminder, in so many words. "Add a task force to it" is a change of the plan. */
const asksForTask = new RegExp(
  [
    '^(?:(?:please|can you|could you|bitte|also|and|und)[,]? )*(?:remind me|erinnere? mich|rappelle[- ]moi|recuérdame|ricordami|lembr[ea]-me|herinner me|påminn mig|mind mig|przypomnij mi|напомни(?:те)? мне|bana hatırlat|提醒我|リマインド)',
    '^(?:(?:please|can you|could you|also|and)[,]? )*(?:add|create|make|set|new)(?: me)?(?: an?| another)?(?: new)? (?:task|to-?do|reminder)(?=:|$| (?:to|for|that|about|called|on|in|at)\\b)',
    '^(?:task|to-?do|reminder|aufgabe|tâche|tarea|tarefa|taak|uppgift|opgave|zadanie|задача): ',
    '^(?:leg|erstell|mach|füg)\\p{L}*(?: mir| bitte)* (?:eine )?(?:neue )?(?:aufgabe|erinnerung)(?!\\p{L})',
    "^(?:ajoute|crée|añade|crea|agrega|aggiungi|adiciona|cria|crie|voeg|maak|lägg till|skapa|tilføj|opret|dodaj|utwórz|добавь|создай) (?:un[ae]?[ '])?(?:uma? |een |en )?(?:tâche|rappel|tarea|recordatorio|attività|promemoria|tarefa|lembrete|taak|herinnering|uppgift|påminnelse|opgave|påmindelse|zadanie|przypomnienie|задачу|напоминание)(?!\\p{L})",
    '^(?:görev|hatırlatıcı) (?:ekle|oluştur)|^(?:添加|创建|新建).{0,4}(?:任务|提醒)|^(?:タスク|リマインダー)を(?:追加|作成)',
  ].join('|'),
  'iu',
)

/** What begins so changes the plan, whatever it is about. */
const planChange =
  /^(?:(?:yes|ok(?:ay)?|sure|please|and|but|ja|oui|sí|sì|sim|tak|да)[,.!]? )*(?:only|just|also|add|drop|remove|without|skip|include|exclude|leave out|focus|limit|narrow|replace|instead|rather than|nur|auch|ohne|statt|streich|lass|ergänze|seulement|aussi|sans|ajoute|enlève|retire|sólo|solo|también|sin|añade|quita|anche|senza|aggiungi|togli|só|apenas|também|sem|adiciona|remove|tira|alleen|ook|zonder|voeg|schrap|bara|också|utan|lägg|ta bort|kun|også|uden|tilføj|fjern|tylko|także|też|bez|dodaj|usuń|только|также|ещё|без|добавь|убери|sadece|ayrıca|ekle|çıkar)(?![\p{L}\p{N}])|^(?:只|仅|也|加上|去掉|不要)|(?:だけ|も追加|除いて)/iu

// Leaving a run that waits, for a message about something else, is confirmed. What stays is checked before what leaves:
// a wrong guess then costs a message and not the run.

/**
 * `stay`: the run waits as before. `go_on`: it goes on. `leave`: it is left, and the message that was kept is answered.
 * `cancel`: it is left, and nothing is answered. `other`: it is left, and this message is answered.
 */
type Confirmation = 'stay' | 'go_on' | 'leave' | 'cancel' | 'other'

const maxLength = 60

const goOn = exactly('go on', 'go ahead', 'proceed', 'continue', 'carry on', 'weiter')

const stay = exactly(
  ...['2', 'n', 'no', 'nope', 'nein', 'stay', 'stay in research', 'back', 'go back', 'wait', 'not now'],
  ...['go on', 'go ahead', 'proceed', 'continue', 'carry on', 'weiter', 'with research', 'with the research'],
  ...['do not', 'don t', 'dont', 'do not leave', 'don t leave', 'dont leave', 'never mind', 'nevermind'],
  ...['do not cancel', 'don t cancel', 'dont cancel', 'please', 'bleiben'],
)

const cancel = exactly('3', 'cancel', 'stop', 'abort', 'quit', 'exit', 'abbrechen', 'please')

const leave = exactly(
  ...['1', 'y', 'yes', 'yep', 'ok', 'okay', 'sure', 'ja', 'leave', 'leave research', 'leave the research'],
  ...['leave it', 'and answer', 'and answer it', 'answer', 'answer it', 'please', 'verlassen'],
)

function readConfirmation(text: string): Confirmation {
  const words = plainWordsOf(text.slice(0, maxLength * 2)).join(' ')
  if (words.length > maxLength || words === '') return 'other'
  if (goOn.test(words)) return 'go_on'
  if (stay.test(words)) return 'stay'
  if (cancel.test(words)) return 'cancel'
  return leave.test(words) ? 'leave' : 'other'
}

/** Nothing but these phrases, in any order. */
function exactly(...list: readonly string[]): RegExp {
  const any = list.toSorted((a, b) => b.length - a.length).join('|')
  return new RegExp(`^(?:${any})(?: (?:${any}))*$`)
}

/** What a message to a run that waits means. */
export type Reply = { kind: 'go_on' } | { kind: 'cancel' } | { kind: 'change' }

const phrases = (text: string): string[] => text.split(/[|\n]/).map((one) => one.trim())

/** Assent, in the languages of research: a message of nothing else goes on. */
const replyGoOn = exactly(
  ...phrases(`1|2|y|yes|yep|yeah|ok|okay|sure|fine|good|great|perfect|go|go on|go ahead|proceed|continue|carry on|keep going|start|run|run it
do it|do that|looks good|looks good to me|lgtm|sounds good|works for me|that works|all good|agreed|approved|please|please do|thanks
thank you|resume|let s go|as planned|alright|all right|right|correct|with this plan|with it|the second|the first|option
ja|jawohl|weiter|mach weiter|los|leg los|bitte|gut|passt|in ordnung|einverstanden|genau|fortfahren|sieht gut aus|danke|gerne|so machen
oui|d accord|continuez|vas y|allez y|c est bon|parfait|s il te plaît|s il vous plaît|merci|très bien|on y va|bien sûr
sí|si|vale|continúa|continua|adelante|sigue|de acuerdo|perfecto|por favor|está bien|gracias|claro|bien
sì|va bene|avanti|procedi|perfetto|per favore|grazie|certo|vai|d accordo
sim|continue assim|prossiga|avança|avance|perfeito|está bem|obrigado|obrigada|claro que sim|pode continuar
ga door|doorgaan|verder|ga verder|prima|goed|graag|alsjeblieft|akkoord|is goed|dank je
fortsätt|kör|kör på|bra|gärna|tack|okej|det blir bra|fortsæt|kør|godt|fint|tak|gerne
dalej|kontynuuj|dobrze|proszę|zgoda|jasne|może być|да|продолжай|продолжайте|дальше|хорошо|давай|ладно|пожалуйста|согласен|согласна
네|예|계속|계속해|계속해 주세요|좋아요|진행해|نعم|تابع|استمر|حسنا|موافق|من فضلك
evet|devam|devam et|devam edin|tamam|lütfen|olur|好|好的|继续|是|是的|可以|行|请继续|はい|続けて|続けてください|お願いします|いいです`),
)

/** Leaving, without a word on what for. */
const replyCancel = exactly(
  ...phrases(`3|n|no|nope|cancel|cancel it|cancel this|cancel research|stop|stop it|stop research|stop the research|abort|quit|quit research|exit
exit research|leave|leave it|leave research|break out|breakout|end research|never mind|nevermind|forget it|forget about it|something else
i want something else|different topic|another topic|other topic|change topic|change the topic|change the subject|please|thanks
nein|abbrechen|abbruch|beenden|stopp|halt|vergiss es|schon gut|etwas anderes|anderes thema|themenwechsel|bitte
non|arrête|arrêter|annuler|annule|quitter|laisse tomber|autre chose|autre sujet|changeons de sujet
cancelar|cancela|salir|para|olvídalo|déjalo|otra cosa|otro tema|cambiemos de tema
annulla|esci|basta|lascia perdere|lascia stare|altro|altra cosa|altro argomento|não|nao|sair|pare|esquece|deixa|outra coisa|outro assunto
nee|annuleren|annuleer|stoppen|laat maar|iets anders|ander onderwerp|nej|avbryt|sluta|glöm det|något annat|annat ämne
annuller|afbryd|glem det|noget andet|andet emne|nie|anuluj|przerwij|zapomnij|coś innego|inny temat
아니요|취소|중지|그만|다른 주제|لا|إلغاء|توقف|اخرج|شيء آخر|موضوع آخر
нет|отмена|отменить|стоп|выйти|забудь|что то другое|другое|другая тема|hayır|iptal|dur|çık|boş ver|boşver|başka bir şey|başka konu
不|不要|取消|停止|退出|算了|换个话题|いいえ|キャンセル|やめる|やめて|中止|別の話題`),
)

const maxReply = 60

/** Nothing but these words goes on or leaves; anything else is what the owner wants otherwise. */
export function readReply(text: string): Reply {
  const words = plainWordsOf(text.slice(0, maxReply * 2)).join(' ')
  if (words === '' || words.length > maxReply) return { kind: 'change' }
  if (replyGoOn.test(words) && !onlyPolite.test(words)) return { kind: 'go_on' }
  return replyCancel.test(words) && !onlyPolite.test(words) ? { kind: 'cancel' } : { kind: 'change' }
}

const onlyPolite = /^(?:please|bitte|thanks|option)$/

const command = /^\s{0,100}\/research(?:\s{1,100}(quick|standard|deep))?\s/i

/** `/research [quick|standard|deep] question`: the depth and the question; `null` for any other message. */
export function readCommand(text: string): { depth: ResearchDepth; question: string } | null {
  const begin = command.exec(text)
  const question = begin ? text.slice(begin[0].length).trim() : ''
  if (!begin || question === '') return null
  return { depth: ResearchDepth.catch('standard').parse(begin[1]?.toLowerCase()), question }
}
