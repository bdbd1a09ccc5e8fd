import { maxCounted } from '../../contract/limits.ts'

/** SQL that counts `from …`, at most `maxCounted` + 1. */
export const boundedCount = (rows: string) =>
  `(select count(*) from (select ${rows} limit ${maxCounted + 1}) as counted)`
