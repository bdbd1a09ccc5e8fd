// `npm run docs:errors`: writes the table of error codes into docs/api.md, from lib/core/error-codes.ts.

import { readFileSync, writeFileSync } from 'node:fs'
import { errorTable } from '../../lib/core/error-codes.ts'
import { printHelp } from '../helpers/print-help.ts'

printHelp(import.meta.url)

const file = 'docs/api.md'
const text = readFileSync(file, 'utf8')
writeFileSync(file, text.replace(/(?<=<!-- errors.*-->\n)[\s\S]*(?=\n<!-- \/errors)/, errorTable()))
