// Property tests try the same cases in every run, so that a run can be repeated. PROPERTY_SEED asks for others.

import fc from 'fast-check'

// What failed is a part of the message: a cause beside it is not printed by every reporter.
fc.configureGlobal({ seed: Number(process.env.PROPERTY_SEED ?? 2026), includeErrorInReport: true })
