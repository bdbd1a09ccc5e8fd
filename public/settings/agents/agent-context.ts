import type { Space } from '../../../lib/contract/entities.ts'
import type { ViewContext } from '../../app/view.ts'

export type AgentContext = ViewContext & { spaces: Space[] }
