import { z } from 'zod'
import { panelViewNames } from '../ai/agent/panel-views.ts'
import type { OpenDesk } from '../contract/open-desk.ts'
import { cleanLine } from '../text/clean.ts'

const place = { side: z.enum(['left', 'right']), shown: z.boolean() }

const tab = z.union([
  z.strictObject({ ...place, kind: z.string().max(40), id: z.uuid() }),
  z.strictObject({
    ...place,
    view: z.enum(panelViewNames),
    q: z.string().overwrite(cleanLine).max(200).nullable().default(null),
  }),
])

/** The open tabs as a browser sends them, or as they were stored with the message. Says nothing of what exists. */
export const openDesk = z.strictObject({
  active: z.enum(['left', 'right']),
  tabs: z.array(tab).max(40),
}) satisfies z.ZodType<OpenDesk>
