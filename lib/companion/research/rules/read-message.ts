// What a message to a run that waits comes to, by exact words first and then by what a classifier made of it.

import { researchCommand } from '../../../contract/limits.ts'
import { ResearchDepth } from '../../../contract/research.ts'
import { exactly, saidIn, replyWords as words } from './reply-words.ts'

/**
 * `beside`: a task or reminder, which is answered while the run waits as before.
 * `confirm`: the owner is asked whether to leave the run for this message. `stay`: the run waits as before, and the next
 * message is for it. `leave`: the run is left, and `text` is answered.
 */
type PausedMessage =
  | { kind: 'go_on' | 'cancel' | 'change' | 'confirm' | 'stay' | 'beside' }
  | { kind: 'leave'; text: string }

/** What a classifier takes a message to a run that waits for. */
export type Sorted = { isElse: boolean; agrees?: boolean }

/** `breakOut`: the message that waits to be confirmed; '' once the owner has stayed; `null` for none. */
export function readMessage(
  text: string,
  { breakOut, isElse, agrees = false }: { breakOut: string | null } & Sorted,
): PausedMessage {
  if (asksForTask.test(text.trim().slice(0, maxLength * 2))) return { kind: 'beside' }
  if (!breakOut) {
    const { kind } = readReply(text)
    if (kind === 'change' && agrees) return { kind: 'go_on' }
    const isLeft = kind === 'cancel' || (kind === 'change' && isElse && breakOut === null)
    return { kind: isLeft ? 'confirm' : kind }
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

const goOn = exactly(words.goOn, words.polite)

const stay = exactly(
  [
    ...['2', 'stay in research', 'back', 'go back', 'wait', 'with research', 'with the research'],
    ...['do not', 'don t', 'dont', 'do not leave', 'don t leave', 'dont leave', 'never mind', 'nevermind'],
    ...['do not cancel', 'don t cancel', 'dont cancel'],
    ...[...words.no, ...words.stay, ...words.goOn, ...words.later],
  ],
  words.polite,
)

const leave = exactly(
  [
    ...['1', 'leave', 'leave research', 'leave the research', 'leave it', 'and answer', 'and answer it'],
    ...['answer', 'answer it', 'verlassen', ...words.yes],
  ],
  words.polite,
)

function readConfirmation(text: string): Confirmation {
  const said = saidIn(text.slice(0, maxLength * 2))
  if (said.length > maxLength || said === '') return 'other'
  if (goOn(said)) return 'go_on'
  if (stay(said)) return 'stay'
  if (leave(said)) return 'leave'
  return leaves(said) || choosesLeave(said) ? 'cancel' : 'other'
}

/** What a message to a run that waits means. */
export type Reply = { kind: 'go_on' } | { kind: 'cancel' } | { kind: 'change' }

/** Of a numbered choice; with it stands nothing that could be a part of the plan. */
const chooses = exactly(
  [
    ...['1', '2', 'the first', 'the second', 'the first one', 'the second one', 'correct', 'with this plan'],
    ...['with it', ...words.yes, ...words.goOn, ...words.agree],
  ],
  ['option', 'number', 'go with', ...words.polite],
)

const assents = exactly([...words.yes, ...words.goOn, ...words.agree], [...words.polite, ...words.aroundYes])

const leaves = exactly(
  [...words.no, ...words.leave, ...words.later, ...words.topic],
  [...words.polite, ...words.aroundLeave],
)

const choosesLeave = exactly(['3', 'the third', 'the third one'], ['option', 'number', ...words.polite])

const maxReply = 60

/** Nothing but these words goes on or leaves; anything else is what the owner wants otherwise. */
export function readReply(text: string): Reply {
  const said = saidIn(text.slice(0, maxReply * 2))
  if (approving.test(text.slice(0, maxReply).trim())) return { kind: 'go_on' }
  if (said === '' || said.length > maxReply) return { kind: 'change' }
  if (chooses(said) || (assents(said) && !/[?？؟]/.test(text))) return { kind: 'go_on' }
  return { kind: leaves(said) || choosesLeave(said) ? 'cancel' : 'change' }
}

const approving = /^(?:👍|👌|✅|🆗|\p{EMod}|\s)+$/u

/** `/research [quick|standard|deep] question`: the depth and the question; `null` for any other message. */
export function readCommand(text: string): { depth: ResearchDepth; question: string } | null {
  const begin = researchCommand.exec(text)
  const question = begin ? text.slice(begin[0].length).trim() : ''
  if (!begin || question === '') return null
  return { depth: ResearchDepth.catch('standard').parse(begin[1]?.toLowerCase()), question }
}
