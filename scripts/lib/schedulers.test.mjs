import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '../..')
const training = join(root, 'packaging/training')
const tools = join(root, '.cache/clients/deploy')
const read = (path) => readFileSync(join(root, path), 'utf8')
const version = /^version = "(.*)"$/m.exec(read('Cargo.toml'))[1]
const missing = existsSync(join(tools, 'installed')) ? false : 'Helm, Kubernetes\' schemas and ShellCheck are not there; scripts/clients gets them for Linux on x86-64'
const here = existsSync('/bin/bash') ? false : 'there is no bash'

function rendered(values) {
  const chart = join(training, 'honinbo-workers')
  const answer = execFileSync('python3', [join(root, 'scripts/lib/check_chart.py'), chart, JSON.stringify(values)], { env: { ...process.env, PYTHONPATH: tools, PYTHONDONTWRITEBYTECODE: '1' }, encoding: 'utf8' })
  return JSON.parse(answer)
}
const image = { repository: 'registry.example/honinbo' }

test('the chart of workers is of this version', () => {
  const chart = read('packaging/training/honinbo-workers/Chart.yaml')
  assert.match(chart, new RegExp(`^version: ${version.replaceAll('.', '\\.')}$`, 'm'))
  assert.match(chart, new RegExp(`^appVersion: "${version.replaceAll('.', '\\.')}"$`, 'm'))
})

test('Helm renders the chart into a job that Kubernetes takes', { skip: missing }, () => {
  const { findings, objects } = rendered({ image, store: 's3://go-training/five', workers: 4, credentialsSecret: 'go-store', storeEndpoint: 'https://s3.example', nodeSelector: { disk: 'fast' }, tolerations: [{ key: 'spot', operator: 'Exists' }], imagePullSecrets: [{ name: 'registry' }], serviceAccountName: 'workers' })
  assert.deepEqual(findings, [])
  assert.deepEqual(objects.map(({ kind }) => kind), ['Job'])
  const { parallelism, completions, template: { spec } } = objects[0].spec
  assert.deepEqual([parallelism, completions], [4, undefined])
  const [worker] = spec.containers
  assert.equal(worker.image, `registry.example/honinbo:${version}`)
  assert.deepEqual([...worker.command, ...worker.args].slice(0, 7), ['honinbo', 'train', 'worker', '--store', 's3://go-training/five', '--store-endpoint', 'https://s3.example'])
  assert.deepEqual(worker.envFrom, [{ secretRef: { name: 'go-store' } }])
  assert.ok(spec.securityContext.runAsNonRoot && worker.securityContext.readOnlyRootFilesystem)
  assert.deepEqual([spec.nodeSelector, spec.serviceAccountName], [{ disk: 'fast' }, 'workers'])
})

test('a worker computes with as many cores as it asks the cluster for', { skip: missing }, () => {
  const threads = (values) => {
    const [{ args, resources }] = rendered({ image, store: 's3://go-training/five', ...values }).objects[0].spec.template.spec.containers
    return [args[args.indexOf('--threads') + 1], resources.requests.cpu]
  }
  assert.deepEqual(threads({}), ['2', '2'])
  assert.deepEqual(threads({ threads: 8 }), ['8', '2'])
  assert.match(rendered({ image, store: 's3://go-training/five', threads: 0 }).refused, /threads/)
})

test('a worker that the cluster ends is replaced, and one that found nothing to do ends the job', { skip: missing }, () => {
  const { objects } = rendered({ image, store: 's3://go-training/five' })
  const { podFailurePolicy: { rules }, template: { spec } } = objects[0].spec
  assert.equal(spec.restartPolicy, 'Never', 'Kubernetes takes no policy for failures with another')
  const { args } = spec.containers[0]
  const status = Number(args[args.indexOf('--stopped-status') + 1])
  assert.ok(status > 0, 'a success would keep the job from starting another')
  assert.ok(rules.every(({ action }) => action === 'Ignore'))
  assert.deepEqual(rules.flatMap(({ onExitCodes }) => onExitCodes?.values ?? []), [status])
  assert.deepEqual(rules.flatMap(({ onPodConditions }) => onPodConditions ?? []).map(({ type }) => type), ['DisruptionTarget'])
})

test('values that make no sense are refused before anything is rendered', { skip: missing }, () => {
  assert.match(rendered({ image, store: 's3://go/five' }).refused, /store/)
  assert.match(rendered({ image, store: 's3://key:secret@go-training/five' }).refused, /store/)
  assert.match(rendered({ image, store: 's3://go-training/five', workers: 0 }).refused, /workers/)
  assert.match(rendered({ store: 's3://go-training/five' }).refused, /repository/)
})

test('ShellCheck finds nothing in the script for Slurm', { skip: missing }, () => {
  const script = join(training, 'honinbo-workers.sbatch')
  execFileSync(join(tools, 'bin/shellcheck'), [script], { encoding: 'utf8' })
})

test('the script for Slurm starts a worker for each task, and says what is missing', { skip: here }, () => {
  const script = join(training, 'honinbo-workers.sbatch')
  const folder = mkdtempSync(join(tmpdir(), 'slurm-'))
  // What Slurm and the package would put on the path.
  writeFileSync(join(folder, 'srun'), `#!/bin/bash\nwhile [[ "$1" == --* ]]; do printf '%s\\n' "$1" >> '${folder}/step'; shift; done\nexec "$@"\n`)
  writeFileSync(join(folder, 'honinbo'), `#!/bin/bash\nprintf '%s\\n' "$*" >> '${folder}/told'\ntest -d "$HONINBO_DATA"\n`)
  for (const name of ['srun', 'honinbo']) chmodSync(join(folder, name), 0o755)
  const env = { PATH: `${folder}:${process.env.PATH}`, SLURM_ARRAY_JOB_ID: '7', SLURM_ARRAY_TASK_ID: '3', SLURM_CPUS_PER_TASK: '4' }
  assert.throws(() => execFileSync('/bin/bash', [script], { env, stdio: 'pipe' }), /HONINBO_STORE: set it to the store/)
  execFileSync('/bin/bash', [script], { env: { ...env, HONINBO_STORE: 's3://go-training/five', HONINBO_STORE_ENDPOINT: 'https://s3.example' }, stdio: 'pipe' })
  assert.equal(readFileSync(join(folder, 'step'), 'utf8'), '--ntasks=1\n--cpus-per-task=4\n', 'as many cores as the task has')
  assert.equal(readFileSync(join(folder, 'told'), 'utf8'), 'train worker --store s3://go-training/five --name slurm-7-3 --threads 4 --idle 1800 --json --store-endpoint https://s3.example\n')
})
