import pg from 'pg'

const { builtins } = pg.types

/**
 * How column values become JavaScript: times as ISO 8601 strings, dates as `YYYY-MM-DD` (a JavaScript date would
 * shift them by the time zone), 64-bit counts as numbers. The wire uses the same forms, so rows need no mapping.
 */
export const typeParsers: pg.CustomTypesConfig = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    if (oid === builtins.TIMESTAMPTZ) return (value: string) => new Date(value).toISOString()
    if (oid === builtins.DATE) return (value: string) => value
    if (oid === builtins.INT8) return Number
    return format === 'binary' ? pg.types.getTypeParser(oid, 'binary') : pg.types.getTypeParser(oid, 'text')
  },
}

/** A row that came as JSON, with its times, which are the columns named `…_at`, as the pool has them. */
export const withTimes = <Row extends object>(row: Row): Row =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      name.endsWith('_at') && typeof value === 'string' ? new Date(value).toISOString() : value,
    ]),
  ) as Row
