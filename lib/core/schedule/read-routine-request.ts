// What a message asks to have done again and again: "every Friday at 5, go through my open tasks". By rule, in four
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
  ...names('MO', 'monday mondays montag montags lundi lundis lunes'),
  ...names('TU', 'tuesday tuesdays dienstag dienstags mardi mardis martes'),
  ...names('WE', 'wednesday wednesdays mittwoch mittwochs mercredi mercredis miércoles'),
  ...names('TH', 'thursday thursdays donnerstag donnerstags jeudi jeudis jueves'),
  ...names('FR', 'friday fridays freitag freitags vendredi vendredis viernes'),
  ...names('SA', 'saturday saturdays samstag samstags sonnabend sonnabends samedi samedis sábado sábados'),
  ...names('SU', 'sunday sundays sonntag sonntags dimanche dimanches domingo domingos'),
}

/** Spans that are no weekday: the rule, and the hour where none is said. */
const spans: Readonly<Record<string, [rule: string, hour: number]>> = {
  ...spanned('day daily tag täglich jour jours día días', 'FREQ=DAILY', 9),
  ...spanned('morning mornings morgen matin matins mañana mañanas', 'FREQ=DAILY', 8),
  ...spanned('evening evenings night abend soir soirs noche noches', 'FREQ=DAILY', 18),
  ...spanned('weekday weekdays workday werktag werktags arbeitstag', 'FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR', 9),
  ...spanned('week weekly woche wöchentlich semaine semaines semana semanas', 'FREQ=WEEKLY;BYDAY=MO', 9),
  ...spanned('month monthly monat monatlich mois mes meses', 'FREQ=MONTHLY;BYMONTHDAY=1', 9),
}

const polite =
  /^(?:(?:please|bitte|also|and|ok|okay|hey|hi|so|now|from now on|ab jetzt|s'il te plaît|por favor)[,:]? |(?:can|could|would|will) you (?:please )?)/i

const lead =
  /^(?:every|each|on|jeden|jede|jedes|am|immer|chaque|tous les|toutes les|le|cada|todos los|todas las|los) /i
/** Said without "every". */
const alone =
  /^(?:daily|weekly|monthly|täglich|wöchentlich|monatlich|werktags|\p{L}{3,10}tags|mittwochs)(?=[\s,:])/iu
/** "on Friday" is one day, "on Fridays" all of them. */
const needsPlural = /^(?:on|am|le|los)$/i

const time =
  /^(?:(?:at|um|à|a las?|gegen) )?(\d{1,2})(?:[:.h](\d{2}))?(?: ?(am|pm|a\.m\.|p\.m\.|uhr|h|heures?|o['’]clock))?(?= |$|[,:])/i
const timeWord = /^(?:(?:at|um|à|al?) )?(noon|mittag|midi|mediodía)(?= |$|[,:])/i

/** What follows is told, and not asked for: "every Friday at 5 we meet". */
const telling =
  /^(?:i|i['’]m|we|we['’]re|he|she|they|it|it['’]s|there|this|that|the|my|our|his|her|their|is|are|was|you|(?:\p{L}+ )?(?:ich|wir|er|es|man)|der|die|das|mein|meine|unser|unsere|je|nous|on|il|elle|le|la|les|mon|ma|yo|nosotros|él|ella|el|los|las|mi) /iu

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
  const words = readDays(line.slice(begun?.[0].length ?? 0), needsPlural.test(begun?.[0].trim() ?? ''))
  if (!words) return null
  const at = readTime(words.rest, words.hour, words.span)
  if (!at) return null
  const instruction = restOf(text, at.rest, line)
  if (instruction === '' || telling.test(`${instruction} `) || instruction.endsWith('?')) return null
  return { schedule: `${words.rule};BYHOUR=${at.hour};BYMINUTE=${at.minute}`, instruction }
}

type Days = { rule: string; hour: number; span: string; rest: string }

function readDays(text: string, isPlural: boolean): Days | null {
  const days: string[] = []
  let rest = text
  for (let at = 0; at < 7; at++) {
    const [found, word = ''] = /^(\p{L}+)/u.exec(rest) ?? []
    if (found === undefined) break
    const name = word.toLowerCase()
    const span = days.length === 0 && !isPlural ? spans[name] : undefined
    if (span) return { rule: span[0], hour: span[1], span: name, rest: rest.slice(word.length).trimStart() }
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
  const part = /^ (morning|evening|night|morgen|abend|nachmittag|afternoon|früh)(?=[\s,:]|$)/i.exec(rest)
  const hour =
    { morning: 8, morgen: 8, früh: 8, evening: 18, night: 20, abend: 18 }[part?.[1]?.toLowerCase() ?? ''] ?? 9
  return {
    rule: `FREQ=WEEKLY;BYDAY=${[...new Set(days)].join(',')}`,
    hour: /afternoon|nachmittag/i.test(part?.[1] ?? '') ? 15 : hour,
    span: part?.[1]?.toLowerCase() ?? '',
    rest: rest.slice(part?.[0].length ?? 0).trimStart(),
  }
}

/** An hour from one to six without a word for the half of the day is in the afternoon, but where clocks count to 24. */
function readTime(
  text: string,
  usual: number,
  span: string,
): { hour: number; minute: number; rest: string } | null {
  const noon = timeWord.exec(text)
  if (noon) return { hour: 12, minute: 0, rest: text.slice(noon[0].length) }
  const found = time.exec(text)
  if (!found) return { hour: usual, minute: 0, rest: text }
  const [all, hours = '', minutes, mark = ''] = found
  const half = mark.toLowerCase().replaceAll('.', '')
  const said = Number(hours)
  const minute = Number(minutes ?? 0)
  const isMorning = /^(?:morning|morgen|matin|mañana|früh)/.test(span)
  const isLate = /^(?:evening|night|abend|soir|noche|afternoon|nachmittag)/.test(span)
  const is24 =
    /uhr|^h$|heure/.test(half) ||
    /^(?:um|à|gegen) /i.test(all) ||
    hours.startsWith('0') ||
    minutes !== undefined
  const isAfternoon =
    half === 'pm' ||
    (half !== 'am' && !isMorning && said < 12 && (isLate || (!is24 && said >= 1 && said <= 6)))
  const hour = half === 'am' && said === 12 ? 0 : isAfternoon && said < 12 ? said + 12 : said
  return hour > 23 || minute > 59 ? null : { hour, minute, rest: text.slice(all.length) }
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
