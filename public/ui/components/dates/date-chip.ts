import { dayText } from '../../time.ts'
import { chip } from '../chips/chip.ts'

type DateChip = {
  id: string
  label: string
  /** YYYY-MM-DD; `null` for none. */
  value: string | null
  now: Date
  choose: (day: string | null) => unknown
}

/** A filter by a day that has been, such as “Edited since”. The focus stays with it. */
export function dateChip({ id, label, value, now, choose }: DateChip): HTMLElement {
  return chip({
    id,
    label,
    chosen: value && dayText(value, now),
    opens: 'dialog',
    choose,
    async open(face, set) {
      const { openCalendar } = await import('./calendar.ts')
      openCalendar(face, { label, value, now, isPast: true, choose: set })
    },
  })
}
