import type { AppContext } from '../app/app.ts'
import { dailyHref } from './daily-note.ts'

/** The key that opens today's note. */
export function startNotes({ app, signal }: AppContext): void {
  app.keys.add(
    [
      {
        key: 'D',
        label: 'Open today’s note',
        run: () => app.navigate(dailyHref(app.state.get().space!.slug)),
        when: () => app.state.get().space !== null,
        group: 'Everywhere',
      },
    ],
    signal,
  )
}
