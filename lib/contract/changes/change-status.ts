import { z } from 'zod'

export const ChangeAction = z.enum(['create', 'update', 'delete'])
export type ChangeAction = z.infer<typeof ChangeAction>

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
