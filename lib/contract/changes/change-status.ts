import { z } from 'zod'

export const ChangeAction = z.enum(['create', 'update', 'delete', 'call'])
export type ChangeAction = z.infer<typeof ChangeAction>

/** Whether approving it makes something new, so that there is no row that it is held against. */
export const makesNew = (action: ChangeAction): boolean => action === 'create' || action === 'call'

export const ChangeStatus = z.enum([
  'pending',
  'approved',
  'rejected',
  'superseded',
  'retracted',
  'expired',
  'obsolete',
])
export type ChangeStatus = z.infer<typeof ChangeStatus>
