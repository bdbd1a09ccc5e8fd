import { entityView } from '../components/entity-view.ts'

export const view = entityView('project')
