import { cpus, loadavg, totalmem } from 'node:os'

export type Machine = {
  cores: number
  cpu: string
  memory_gb: number
  node: string
  engine: string
  /** Processes that wanted a core in the last minute; with other work on the machine, compare ratios only. */
  load: number
}

export function describeMachine(): Machine {
  return {
    cores: cpus().length,
    cpu: cpus()[0]?.model.trim() ?? 'unknown',
    memory_gb: Math.round(totalmem() / 2 ** 30),
    node: process.version,
    engine: 'PGlite',
    load: Math.round((loadavg()[0] ?? 0) * 10) / 10,
  }
}
