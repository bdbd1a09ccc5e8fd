import { entityListView } from '../components/entity-list.ts'

export const view = entityListView('project')
