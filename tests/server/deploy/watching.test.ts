// The rules and the dashboard in deploy/ name metrics that a server has, in labels and values that it sends.

import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { createTelemetry } from '../../../lib/ops/telemetry/telemetry.ts'
import { buildApp } from '../../helpers/build-app.ts'

type Rule = {
  alert: string
  expr: string
  for?: string
  labels: { severity: string }
  annotations: { summary: string; action: string }
}
type Panel = { id: number; title: string; targets: { expr: string }[] }

const rules: Rule[] = parse(readFileSync('deploy/alerts.yaml', 'utf8')).groups.flatMap(
  ({ rules: of }: { rules: Rule[] }) => of,
)
const dashboard: { panels: Panel[] } = JSON.parse(readFileSync('deploy/grafana.json', 'utf8'))

const telemetry = createTelemetry()
telemetry.start()
await buildApp({ telemetry })
const known = new Map(
  telemetry.metrics.register.getMetricsAsArray().map((metric) => {
    const labels: readonly string[] = Reflect.get(metric, 'labelNames') ?? []
    return [metric.name, labels] as const
  }),
)

/** Labels that Prometheus adds itself. */
const added = ['job', 'instance', 'le']

const baseOf = (name: string) => (known.has(name) ? name : name.replace(/_(bucket|count|sum)$/, ''))

/** Each metric that an expression names, with the labels it asks for. */
function namedIn(expr: string): { name: string; labels: string[] }[] {
  const selectors = [...expr.matchAll(/\b((?:void|nodejs|process)_[a-z0-9_]+)(?:\{([^}]*)\})?/g)]
  return selectors.map(([, name, inside = '']) => ({
    name: name!,
    labels: [...inside.matchAll(/(\w+)\s*(?:=~|!~|!=|=)/g)].map(([, label]) => label!),
  }))
}

/** What of an expression no server has. */
const unknownIn = (expr: string): string[] =>
  namedIn(expr).flatMap(({ name, labels }) => {
    const own = known.get(baseOf(name))
    if (!own) return [name]
    return labels.filter((label) => ![...own, ...added].includes(label)).map((label) => `${name}{${label}}`)
  })

const expressions = [
  ...rules.map(({ alert, expr }) => [alert, expr] as const),
  ...dashboard.panels.flatMap(({ title, targets }) => targets.map(({ expr }) => [title, expr] as const)),
]

test.each(expressions)('%s: every metric and label is one that a server has (%s)', (_name, expr) => {
  expect(namedIn(expr).length + Number(expr.includes('up{'))).toBeGreaterThan(0)
  expect(unknownIn(expr)).toEqual([])
})

test('a metric or label that no server has is found', () => {
  expect(unknownIn('sum(void_no_such_total)')).toEqual(['void_no_such_total'])
  expect(unknownIn('void_turns_running{space="x"}')).toEqual(['void_turns_running{space}'])
})

test('each alert says what happened, what to do and how urgent it is, and has a name of its own', () => {
  const names = rules.map(({ alert }) => alert)

  expect(new Set(names).size).toBe(names.length)
  for (const { labels, annotations } of rules) {
    expect(['page', 'ticket']).toContain(labels.severity)
    expect(annotations.summary).toMatch(/\.$/)
    expect(annotations.action).toMatch(/\.$/)
  }
})

test('every metric of Void itself is on the dashboard or in a rule', () => {
  const used = new Set(expressions.flatMap(([, expr]) => namedIn(expr).map(({ name }) => baseOf(name))))
  const unused = [...known.keys()].filter((name) => name.startsWith('void_') && !used.has(name))

  expect(unused).toEqual([])
})

test('panels have ids of their own', () => {
  const ids = dashboard.panels.map(({ id }) => id)

  expect(new Set(ids).size).toBe(ids.length)
})
