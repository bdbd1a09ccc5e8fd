import { el } from '../dom.ts'
import { addDays } from '../time.ts'
import { iconButton } from './icon.ts'

type Month = {
  /** YYYY-MM-DD, as all days here: whose month is shown first. */
  start: string
  chosen: string | null
  today: string
  pick: (day: string) => void
}

const weekdays = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']

/** The grid of a month, from Monday. One day of it takes Tab; arrows, Home, End, Page Up and Page Down move to another. */
export function createMonth({ start, chosen, today, pick }: Month) {
  let current = start
  const title = el('h3', { class: 'month-title', id: 'month-title', 'aria-live': 'polite' })
  const body = el('tbody')
  const turn = (months: number) => show(moved(current, months))
  const element = el(
    'div',
    { class: 'month' },
    el(
      'div',
      { class: 'month-head' },
      iconButton('Previous month', 'chevronRight', () => turn(-1), { class: 'icon-button month-previous' }),
      title,
      iconButton('Next month', 'chevronRight', () => turn(1)),
    ),
    el(
      'table',
      {
        class: 'month-grid',
        role: 'grid',
        'aria-labelledby': 'month-title',
        onkeydown: walk,
        onclick: choose,
      },
      el(
        'thead',
        {},
        el(
          'tr',
          {},
          weekdays.map((name) => el('th', { scope: 'col' }, name)),
        ),
      ),
      body,
    ),
  )
  show(start)
  return { element, show, focus }

  function show(day: string): void {
    current = day
    title.replaceChildren(dayWords(day, { month: 'long', year: 'numeric' }))
    body.replaceChildren(...renderWeeks(day, { chosen, today }))
  }

  function focus(): void {
    body.querySelector<HTMLElement>('[tabindex="0"]')?.focus()
  }

  function choose({ target }: Event): void {
    const day = target instanceof HTMLElement && target.closest<HTMLElement>('[data-day]')?.dataset.day
    if (day) pick(day)
  }

  function walk(event: KeyboardEvent): void {
    const to = dayAt(event.key, current)
    if (to === null) return
    event.preventDefault()
    show(to)
    focus()
  }
}

function renderWeeks(day: string, marks: Pick<Month, 'chosen' | 'today'>): HTMLElement[] {
  const first = `${day.slice(0, 8)}01`
  const from = addDays(first, -weekdayOf(first))
  const weeks = [0, 7, 14, 21, 28, 35].map((start) => addDays(from, start))
  return weeks
    .filter((monday) => monday.slice(0, 7) <= day.slice(0, 7))
    .map((monday) =>
      el(
        'tr',
        {},
        weekdays.map((_, index) => renderDay(addDays(monday, index), day, marks)),
      ),
    )
}

const renderDay = (day: string, current: string, { chosen, today }: Pick<Month, 'chosen' | 'today'>) =>
  el(
    'td',
    { 'aria-selected': day === chosen },
    el(
      'button',
      {
        class: ['month-day', day.slice(0, 7) !== current.slice(0, 7) && 'month-other'],
        type: 'button',
        tabindex: day === current ? 0 : -1,
        'data-day': day,
        'aria-current': day === today ? 'date' : null,
        'aria-label': dayWords(day),
      },
      Number(day.slice(8)),
    ),
  )

/** Where a key leads from a day; `null` for one that leads nowhere. */
function dayAt(key: string, day: string): string | null {
  const weekday = weekdayOf(day)
  const days = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7, Home: -weekday, End: 6 - weekday }
  if (key in days) return addDays(day, days[key as keyof typeof days])
  return key === 'PageUp' || key === 'PageDown' ? moved(day, key === 'PageUp' ? -1 : 1) : null
}

/** The same day of another month, or its last one. */
function moved(day: string, months: number): string {
  const [year, month, date] = day.split('-').map(Number) as [number, number, number]
  const last = new Date(Date.UTC(year, month + months, 0)).getUTCDate()
  return new Date(Date.UTC(year, month - 1 + months, Math.min(date, last))).toISOString().slice(0, 10)
}

/** From 0, Monday. */
const weekdayOf = (day: string): number => (new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7

/** A day (YYYY-MM-DD) in words, by these parts. */
export const dayWords = (day: string, parts: Intl.DateTimeFormatOptions = whole): string =>
  new Intl.DateTimeFormat('en-GB', { ...parts, timeZone: 'UTC' }).format(new Date(`${day}T00:00:00Z`))

const whole: Intl.DateTimeFormatOptions = { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' }
