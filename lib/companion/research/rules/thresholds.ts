import type { ResearchThresholds } from '../../../contract/companion/research-settings.ts'

/** The shares that an answer has to reach; contradictions it may have none. */
export const thresholds: ResearchThresholds = { citation: 0.75, entities: 0.8, relations: 0.7 }
