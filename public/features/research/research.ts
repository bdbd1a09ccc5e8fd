import type { View } from '../../app/view.ts'
import { list } from './list.ts'
import { run } from './run.ts'

/** The runs of a Space, or the one of the address. */
export const view: View = { open: (context) => (context.params.id ? run : list).open(context) }
