import type { ProjectStatus } from '../../../lib/contract/entities/entities.ts'

export const projectStatusNames: Record<ProjectStatus, string> = {
  active: 'Active',
  on_hold: 'On hold',
  done: 'Done',
  cancelled: 'Cancelled',
}
