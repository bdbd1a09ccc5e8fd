import type { View } from '../../app/view.ts'
import { threadView } from './thread.ts'
import { threadsView } from './threads.ts'

/** The threads of a Space, or one of them: one chunk, since who opens the list opens a thread next. */
export const view: View = {
  open: (context) => (context.params.id ? threadView : threadsView).open(context),
}
