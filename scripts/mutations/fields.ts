import type {Mutation} from './mutation.js'

/** The promise about the JSON fields of a command. */
export const fields: readonly Mutation[] = [
  {
    name: 'field-removed',
    breaks: 'a field of a JSON answer is gone',
    file: 'src/features/config/profiles.ts',
    from: '    read_only: profile.readOnly === true,\n',
    to: '',
    tests: ['test/commands/fields.test.ts'],
  },
  {
    name: 'field-renamed',
    breaks: 'a field of a JSON answer has another name',
    file: 'src/features/config/settings.ts',
    from: "source: row?.source ?? 'default'}",
    to: "origin: row?.source ?? 'default'}",
    tests: ['test/commands/fields.test.ts'],
  },
  {
    name: 'field-retyped',
    breaks: 'a field of a JSON answer has another type',
    file: 'src/features/config/profiles.ts',
    from: 'protected: profile.protected === true,',
    to: 'protected: String(profile.protected === true),',
    tests: ['test/commands/fields.test.ts'],
  },
  {
    name: 'field-nullable',
    breaks: 'a field of a JSON answer that was never null can be null',
    file: 'src/features/config/profiles.ts',
    from: 'protected: profile.protected === true,',
    to: 'protected: profile.protected || null,',
    tests: ['test/commands/fields.test.ts'],
  },
  {
    name: 'field-value-renamed',
    breaks: 'a value of a field of a JSON answer has another name',
    file: 'src/view/system/doctor.ts',
    from: "state: 'ok', what, fix: null",
    to: "state: 'good', what, fix: null",
    tests: ['test/commands/fields.test.ts'],
  },
  {
    name: 'error-code-renamed',
    breaks: 'a code of errors has another name',
    file: 'src/features/push/prove.ts',
    from: "code: 'not-proven'",
    to: "code: 'kept'",
    tests: ['test/project/fields.test.ts'],
  },
]
