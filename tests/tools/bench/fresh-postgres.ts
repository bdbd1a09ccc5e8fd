import { openDatabase } from '../../../lib/db/pool.ts'

/** An empty database beside the one that the URL names, and a function that drops it. */
export async function freshPostgres(url: string): Promise<{ url: string; drop: () => Promise<void> }> {
  const admin = await openDatabase({ url })
  const name = `void_bench_${process.pid}`
  await admin.query(`create database ${name}`)
  const target = new URL(url)
  target.pathname = `/${name}`
  return {
    url: target.href,
    async drop() {
      await admin.query(`drop database if exists ${name} with (force)`)
      await admin.close()
    },
  }
}
