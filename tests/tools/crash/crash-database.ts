import pg from 'pg'
import { inject } from 'vitest'

/** A database on the server that the tests run on, gone after `drop`; no address where they run on embedded ones. */
export async function makeCrashDatabase(): Promise<{ url?: string; drop: () => Promise<void> }> {
  const template = inject('postgresTemplate')
  if (!template) return { drop: async () => {} }
  const name = `void_crash_${process.pid}`
  const admin = new pg.Client({ connectionString: template.url })
  await admin.connect()
  await admin.query(`create database ${name} template ${template.name}`)
  const url = new URL(template.url)
  url.pathname = `/${name}`
  return {
    url: url.href,
    async drop() {
      await admin.query(`drop database if exists ${name} with (force)`)
      await admin.end()
    },
  }
}
