// What a message asks to have done again and again: "every Friday at 5, go through my open tasks". By rule, in eleven
// languages, and only at the beginning of what the owner wrote. Takes time in proportion to the message.

export type RoutineRequest = {
  /** A recurrence rule with its time of day. */
  schedule: string
  /** What is to be done then, in the owner's words. */
  instruction: string
}

const maxMessage = 20_000
const maxHead = 200

const dayNames: Readonly<Record<string, string>> = {
  ...names(
    'MO',
    'monday mondays montag montags lundi lundis lunes lunedì segunda segunda-feira maandag måndag mandag poniedziałek понедельник',
  ),
  ...names(
    'TU',
    'tuesday tuesdays dienstag dienstags mardi mardis martes martedì terça terça-feira dinsdag tisdag tirsdag wtorek вторник',
  ),
  ...names(
    'WE',
    'wednesday wednesdays mittwoch mittwochs mercredi mercredis miércoles mercoledì quarta quarta-feira woensdag onsdag środę środa среду',
  ),
  ...names(
    'TH',
    'thursday thursdays donnerstag donnerstags jeudi jeudis jueves giovedì quinta quinta-feira donderdag torsdag czwartek четверг',
  ),
  ...names(
    'FR',
    'friday fridays freitag freitags vendredi vendredis viernes venerdì sexta sexta-feira vrijdag fredag piątek пятницу',
  ),
  ...names(
    'SA',
    'saturday saturdays samstag samstags sonnabend sonnabends samedi samedis sábado sábados sabato zaterdag lördag lørdag sobotę субботу',
  ),
  ...names(
    'SU',
    'sunday sundays sonntag sonntags dimanche dimanches domingo domingos domenica zondag söndag søndag niedzielę воскресенье',
  ),
}

/** Spans that are no weekday: the rule, and the hour where none is said. */
const spans: Readonly<Record<string, [rule: string, hour: number]>> = {
  ...spanned(
    'day days daily tag täglich jour jours día días giorno giorni dia dias dag dzień dnia день',
    'FREQ=DAILY',
    9,
  ),
  ...spanned(
    'morning mornings morgen matin matins mañana mañanas mattina manhã ochtend morgon rano утро',
    'FREQ=DAILY',
    8,
  ),
  ...spanned(
    'evening evenings night abend soir soirs noche noches sera noite avond kväll aften kveld wieczór вечер',
    'FREQ=DAILY',
    18,
  ),
  ...spanned(
    'weekday weekdays workday workdays werktag werktags arbeitstag werkdag',
    'FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR',
    9,
  ),
  ...spanned('weekend weekends wochenende', 'FREQ=WEEKLY;BYDAY=SA', 9),
  ...spanned(
    'week weeks weekly woche wöchentlich semaine semaines semana semanas settimana vecka uge uke tydzień неделю',
    'FREQ=WEEKLY;BYDAY=MO',
    9,
  ),
  ...spanned(
    'month months monthly monat monatlich mois mes meses mese mês maand månad måned miesiąc месяц',
    'FREQ=MONTHLY;BYMONTHDAY=1',
    9,
  ),
}

const polite =
  /^(?:(?:please|bitte|also|and|ok|okay|hey|hi|so|now|from now on|ab jetzt|s'il te plaît|por favor)[,:]? |(?:(?:create|make|add|set up|start) a (?:new )?routine|(?:new )?routine)[:,]? |(?:can|could|would|will) you (?:please )?)/i

const lead =
  /^(?:every|each|on|jeden|jede|jedes|am|immer|chaque|tous les|toutes les|le|cada|todos los|todas las|los|ogni|tutti i|tutte le|tod[ao]s?(?: [ao]s)?|elke|iedere|varje|hver|hvert|w każdy|w każdą|każdego|co|каждый|каждую|каждое) /i
/** Said without "every". */
const alone =
  /^(?:daily|weekly|monthly|weekdays|workdays|weekends|(?:mon|tues|wednes|thurs|fri|satur|sun)days|täglich|wöchentlich|monatlich|werktags|\p{L}{3,10}tags|mittwochs)(?=[\s,:])/iu
/** "on Friday" is one day, "on Fridays" all of them. */
const needsPlural = /^(?:on|am|le|los)$/i

const clocks24 = 'um|à|gegen|alle(?: ore)?|às|om|kl\\.?|klockan|klokken|o|в'
const time = new RegExp(
  `^(?:(?:at|a las?|${clocks24}) )?(\\d{1,2})(?:[:.h](\\d{2}))?(?: ?(am|pm|a\\.m\\.|p\\.m\\.|uhr|uur|horas|h|heures?|o['’]clock))?(?= |$|[,:])`,
  'i',
)
const timeWord =
  /^(?:(?:at|um|à|al?) )?(noon|mittag|midi|mediodía|midnight|mitternacht|minuit|medianoche)(?= |$|[,:])/i
const partOfHour = /^(?:at )?(half past|quarter past|quarter to) (\d{1,2})(?: ?(am|pm))?(?= |$|[,:])/i
/** A time that is told in other words. */
const otherTime = new RegExp(`^(?:at|a las?|${clocks24}) `, 'i')

/** What follows is told, and not asked for: "every Friday at 5 we meet". */
const telling =
  /^(?:i|i['’]m|we|we['’]re|he|she|they|it|it['’]s|there|this|that|the|my|our|his|her|their|is|are|was|you|(?:\p{L}+ )?(?:ich|wir|er|es|man)|der|die|das|mein|meine|unser|unsere|je|nous|on|il|elle|le|la|les|mon|ma|yo|nosotros|él|ella|el|los|las|mi|io|noi|eu|nós|jag|jeg|ja|я|мы|(?:\p{L}+ )?(?:ik|we|wij|hij|zij|vi|han|hon|hun)|het|mijn|min|мой|моя) /iu

/** `null`: the message asks for nothing of the kind. */
export function readRoutineRequest(message: string): RoutineRequest | null {
  let text = message.slice(0, maxMessage).trim()
  for (let before = ''; before !== text; ) {
    before = text
    text = text.replace(polite, '').trimStart()
  }
  const line = text.slice(0, maxHead).replace(/\s+/g, ' ')
  const begun = lead.exec(line)
  if (!begun && !alone.test(line)) return null
  const after = line.slice(begun?.[0].length ?? 0)
  const words = readOrdinal(after) ?? readDays(after, needsPlural.test(begun?.[0].trim() ?? ''))
  if (!words) return null
  const at = readTime(words.rest, words.hour, words.span)
  if (!at) return null
  const instruction = restOf(text, at.rest, line)
  if (instruction === '' || telling.test(`${instruction} `) || instruction.endsWith('?')) return null
  return { schedule: `${words.rule};BYHOUR=${at.hour};BYMINUTE=${at.minute}`, instruction }
}

type Days = { rule: string; hour: number; span: string; rest: string }

/** “every other Friday”, “every two weeks”, “every first Monday of the month”. */
const everyOther =
  /^(?:other|second|2nd|zweiten?|zweite[rs]|(?:two|2|zwei)(?= (?:weeks|days|months|wochen|tage|monate)(?![\p{L}]))) /iu
const ofMonth =
  /^(?:the )?(first|1st|second|2nd|third|3rd|fourth|4th|last|ersten|zweiten|dritten|vierten|letzten) (\p{L}+) (?:of (?:the|each|every) month|(?:des|im|jeden) monats?)(?=[\s,:]|$)/iu
const ordinals: Readonly<Record<string, number>> = {
  ...{ first: 1, '1st': 1, ersten: 1, second: 2, '2nd': 2, zweiten: 2, third: 3, '3rd': 3, dritten: 3 },
  ...{ fourth: 4, '4th': 4, vierten: 4, last: -1, letzten: -1 },
}

function readOrdinal(text: string): Days | null {
  const [all, ordinal = '', name = ''] = ofMonth.exec(text) ?? []
  const day = dayNames[name.toLowerCase()]
  if (all !== undefined && day) {
    const rule = `FREQ=MONTHLY;BYDAY=${ordinals[ordinal.toLowerCase()]}${day}`
    return { rule, hour: 9, span: '', rest: text.slice(all.length).trimStart() }
  }
  const other = everyOther.exec(text)
  const days = other && readDays(text.slice(other[0].length), false)
  return days && { ...days, rule: days.rule.replace(/^(FREQ=\w+)/, '$1;INTERVAL=2') }
}

function readDays(text: string, isPlural: boolean): Days | null {
  const days: string[] = []
  let rest = text
  for (let at = 0; at < 7; at++) {
    const [found, word = ''] = /^(\p{L}+(?:-feira)?)/u.exec(rest) ?? []
    if (found === undefined) break
    const name = word.toLowerCase()
    const span = days.length === 0 && !isPlural ? spans[name] : undefined
    if (span) {
      const whole = { rule: span[0], hour: span[1], span: name, rest: rest.slice(word.length) }
      return span[0].startsWith('FREQ=MONTHLY') ? { ...whole, rest: whole.rest.trimStart() } : inPart(whole)
    }
    const day = dayNames[name]
    if (!day || (isPlural && !name.endsWith('s'))) break
    days.push(day)
    rest = rest.slice(word.length)
    const joined = /^(?:, ?(?:and |und |et |y )?| (?:and|und|et|y) )(?:on |am )?(?=\p{L})/iu.exec(rest)
    const next = joined && /^\p{L}+/u.exec(rest.slice(joined[0].length))?.[0].toLowerCase()
    if (!next || !dayNames[next]) break
    rest = rest.slice(joined[0].length)
  }
  if (days.length === 0) return null
  return inPart({ rule: `FREQ=WEEKLY;BYDAY=${[...new Set(days)].join(',')}`, hour: 9, span: '', rest })
}

const hours: Readonly<Record<string, number>> = {
  ...{ morning: 8, morgen: 8, früh: 8, ochtend: 8, afternoon: 15, nachmittag: 15, middag: 15 },
  ...{ evening: 18, abend: 18, avond: 18, night: 20 },
}

/** The part of the day that may follow. */
function inPart(days: Days): Days {
  const part =
    /^ (morning|evening|night|morgen|abend|nachmittag|afternoon|früh|ochtend|middag|avond)(?=[\s,:]|$)/i.exec(
      days.rest,
    )
  const name = part?.[1]?.toLowerCase() ?? days.span
  const rest = days.rest.slice(part?.[0].length ?? 0).trimStart()
  return { rule: days.rule, hour: (part && hours[name]) ?? days.hour, span: name, rest }
}

/** An hour from one to six without a word for the half of the day is in the afternoon, but where clocks count to 24. */
function readTime(
  text: string,
  usual: number,
  span: string,
): { hour: number; minute: number; rest: string } | null {
  const noon = timeWord.exec(text)
  if (noon) {
    const isNight = /^m(?:idn|itter|inuit|edian)/i.test(noon[1]!)
    return { hour: isNight ? 0 : 12, minute: 0, rest: text.slice(noon[0].length) }
  }
  const part = partOfHour.exec(text)
  if (part) return readPart(part, text, span)
  const found = time.exec(text)
  if (!found) return otherTime.test(text) ? null : { hour: usual, minute: 0, rest: text }
  const [all, hours = '', minutes, mark = ''] = found
  const half = mark.toLowerCase().replaceAll('.', '')
  const said = Number(hours)
  const minute = Number(minutes ?? 0)
  const { isMorning, isLate } = halfOf(span)
  const is24 =
    /uhr|uur|horas|^h$|heure/.test(half) || in24.test(all) || hours.startsWith('0') || minutes !== undefined
  const isAfternoon =
    half === 'pm' ||
    (half !== 'am' && !isMorning && said < 12 && (isLate || (!is24 && said >= 1 && said <= 6)))
  const hour = half === 'am' && said === 12 ? 0 : isAfternoon && said < 12 ? said + 12 : said
  return hour > 23 || minute > 59 ? null : { hour, minute, rest: text.slice(all.length) }
}

const in24 = new RegExp(`^(?:${clocks24}) `, 'i')

const halfOf = (span: string) => ({
  isMorning: /^(?:morning|morgen|morgon|matin|mañana|manhã|früh|ochtend|rano|утро)/.test(span),
  isLate:
    /^(?:evening|night|abend|avond|aften|kveld|kväll|soir|sera|noche|noite|afternoon|nachmittag|middag|wieczór|вечер)/.test(
      span,
    ),
})

/** “half past 7”, “quarter to 5”. */
function readPart([all, part = '', said = '', half = '']: RegExpExecArray, text: string, span: string) {
  const { isMorning, isLate } = halfOf(span)
  const isAfternoon = half ? /pm/i.test(half) : isLate || (!isMorning && Number(said) <= 6)
  const hour = (Number(said) % 12) + (isAfternoon ? 12 : 0) - (/to$/i.test(part) ? 1 : 0)
  const minute =
    { half: 30, 'quarter past': 15, 'quarter to': 45 }[part.toLowerCase().replace('half past', 'half')] ?? 0
  return Number(said) > 12 ? null : { hour: (hour + 24) % 24, minute, rest: text.slice(all.length) }
}

/** The message after its head, as it was written. */
function restOf(text: string, rest: string, line: string): string {
  const skipped = line.slice(0, line.length - rest.length).replace(/\s/g, '').length
  let seen = 0
  let at = 0
  while (at < text.length && seen < skipped) {
    if (!/\s/.test(text[at]!)) seen += 1
    at += 1
  }
  return text
    .slice(at)
    .replace(/^[\s,:;–—-]+/, '')
    .trim()
}

function names(day: string, all: string): Record<string, string> {
  return Object.fromEntries(all.split(' ').map((name) => [name, day]))
}

function spanned(all: string, rule: string, hour: number): Record<string, [string, number]> {
  return Object.fromEntries(all.split(' ').map((name) => [name, [rule, hour]]))
}
