import assert from 'node:assert/strict'
import { test } from 'node:test'
import { names, notTakenOver, problems, unused } from './dependencies.mjs'

test('a crate is named by a path, a macro or an import, not by a comment or a part of another name', () => {
  for (const code of [
    'use serde_json::Value;',
    'use serde_json;',
    'use ::serde_json as json;',
    '    serde_json::to_string(&x)',
    'let x = vec![serde_json::Value::Null];',
    '#[serde_json::export]',
    '/// use serde_json::Value;',
    'serde_json!(1)',
    'x(); extern crate serde_json;',
  ]) {
    assert.ok(names(code, 'serde-json'), code)
  }
  for (const code of ['// serde_json::Value', 'use my_serde_json::Value;', 'use crate::serde_json_like;', 'let serde_json = 1;']) {
    assert.ok(!names(code, 'serde-json'), code)
  }
  assert.ok(names('let url = "https://x"; insta::glob!()', 'insta'), 'an address is no comment')
})

test('what is unused is told with its crate and kind', () => {
  const dependencies = [{ name: 'a', kind: null }, { name: 'b', kind: 'dev' }, { name: 'c', kind: 'dev' }, { name: 'd', kind: 'build' }]
  const code = { normal: 'use b::X;', dev: 'use a::Y; use c::Z;', build: '' }
  assert.deepEqual(unused([{ name: 'one', dependencies, code }]), ['one: a', 'one: b (dev)', 'one: d (build)'])
})

test('what the workspace offers, some crate takes over', () => {
  const workspace = '[workspace.dependencies]\na = "1"\nb-c = { version = "1" }\nd = "1"\n\n[workspace.lints]\nx = 1\n'
  assert.deepEqual(notTakenOver(workspace, ['[dependencies]\na.workspace = true\n', 'd = { workspace = true, features = [] }\n']), ['b-c'])
})

test('nothing here depends on what it does not use', () => {
  assert.deepEqual(problems(), [])
})
