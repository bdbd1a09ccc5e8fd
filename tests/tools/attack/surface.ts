// What every attack has in common: a surface is tried again and again, and says of each try that fell what it did.

type Trial = {
  /** Counts tries: one by default. A try that is not counted is none. */
  tried: (count?: number) => void
  /** A try that did what it must not, in one line. */
  fell: (what: string) => void
}

export type Surface = {
  /** A few words for the line of the report. */
  name: string
  /** A Postgres server's database where one is given, else the embedded one. */
  attack: (trial: Trial, options: { databaseUrl?: string | undefined }) => Promise<void>
}

export type SurfaceReport = { name: string; tried: number; falls: string[]; seconds: number }

/** An attack that throws, or that tries nothing, has fallen: it has shown nothing. */
export async function attackSurface(surface: Surface, databaseUrl?: string): Promise<SurfaceReport> {
  const report: SurfaceReport = { name: surface.name, tried: 0, falls: [], seconds: 0 }
  const began = performance.now()
  const trial: Trial = {
    tried: (count = 1) => {
      report.tried += count
    },
    fell: (what) => report.falls.push(what),
  }
  await surface.attack(trial, { databaseUrl }).catch((error: unknown) => {
    report.falls.push(`the attack itself failed: ${error instanceof Error ? error.stack : String(error)}`)
  })
  if (report.tried === 0) report.falls.push('nothing was tried')
  report.seconds = (performance.now() - began) / 1000
  return report
}
