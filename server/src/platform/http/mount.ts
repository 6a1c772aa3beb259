import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/runtime-macro';
import * as z from 'zod/mini';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import {
  undeclaredParameters,
  type AnswerInput,
  type BodyOf,
  type EndpointSpec,
  type ParamsOf,
  type QueryOf,
} from '#contract/endpoint.ts';
import { errorBodySchema } from '#contract/error-body.ts';
import { answerWithinMs, apiBasePath, bodyLimitBytes, memberLimitMax, uploadWithinMs } from '#contract/constants.ts';
import { may } from '#contract/roles.ts';
import { idSchema } from '#contract/text.ts';
import { AppError, invalid, type InvalidField, refusalToCommit, unauthenticated } from './app-error.ts';
import { type Caller, isCompleted, lacksSecondFactor, loadCaller, loadOwner, type Owner } from '../session/caller.ts';
import { type Acting, actingAs, noteAccount } from '../process/log.ts';
import { requestedLanguage } from '../texts.ts';
import { withinSpan } from '../process/tracing.ts';
import { actorOf, writeDenied } from '../db/audit.ts';
import { type Db, inTransaction } from '../db/db.ts';
import { isUuid } from '../db/uuid.ts';
import { type Reads, staleMaxMs } from '../db/replicas.ts';
import type { Deps } from '../../deps.ts';
import { requirePart } from '../service/parts.ts';
import { holdsCredential } from './compression.ts';
import { type IdempotencyKey, keptAnswer, once, readIdempotencyKey, withKeyClaimed } from './idempotency.ts';
import { clientOf, networkOf } from './client-network.ts';
import { readUpload } from './upload.ts';

type JsonSchema = Record<string, unknown>;

const isRecord = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const serializerSchemas = new WeakMap<z.ZodMiniType, JsonSchema>();

/**
 * The schema that answers are serialized with, the same object for each `schema`: undeclared fields are never sent. "X
 * or null" becomes a nullable X, and text checks are dropped, because the serializer would run both for every value.
 */
export function serializerSchema(schema: z.ZodMiniType): JsonSchema {
  const known = serializerSchemas.get(schema);
  if (known !== undefined) return known;
  const made = simplified(z.toJSONSchema(schema, { io: 'output', target: 'draft-7' }));
  serializerSchemas.set(schema, made);
  return made;
}

/** The schema with null as an additional value. */
function orNull(schema: JsonSchema): JsonSchema {
  const { anyOf } = schema;
  return Array.isArray(anyOf)
    ? { ...schema, anyOf: [...(anyOf as unknown[]), { type: 'null' }] }
    : { ...schema, nullable: true };
}

function simplified(node: unknown): JsonSchema {
  if (!isRecord(node)) return {};
  const choices = node['anyOf'];
  if (Array.isArray(choices) && choices.length === 2) {
    const [first, second] = choices as unknown[];
    if (isRecord(second) && second['type'] === 'null') return orNull(simplified(first));
  }
  const result: JsonSchema = {};
  for (const [key, value] of Object.entries(node)) {
    if (['pattern', 'format', 'enum', 'minimum', 'maximum', '$schema'].includes(key)) continue;
    if (key === 'type' && Array.isArray(value)) {
      result['type'] = (value as unknown[]).find((name) => name !== 'null');
      result['nullable'] = true;
    } else if (key === 'properties' && isRecord(value)) {
      result[key] = Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, simplified(inner)]));
    } else if (key === 'items') {
      result[key] = simplified(value);
    } else if (key === 'additionalProperties' && isRecord(value)) {
      result[key] = Object.keys(value).length === 0 ? true : simplified(value);
    } else if (key === 'anyOf' && Array.isArray(value)) {
      result[key] = value.map(simplified);
    } else {
      result[key] = value;
    }
  }
  return result;
}

/** The success body without the envelope that `mount` adds; `message` defaults to 'OK'. */
type Outcome<E extends EndpointSpec> = Omit<AnswerInput<E>, 'success' | 'message'> & { message?: string };

/** What every handler knows: the services outside the database, the caller, the time and the network. */
export interface CallContext<Who = Caller> {
  deps: Deps;
  caller: Who;
  now: Date;
  network: string;
  /** See `clientOf`. */
  client: string;
  userAgent: string | undefined;
}

/** What a preparation receives before the transaction. */
export interface PreparationContext<Who = Caller> extends CallContext<Who> {
  /** Runs `work` when the request is over, whatever its outcome, such as taking back a count. */
  finally(work: () => Promise<void>): void;
}

/** What a command receives. */
export interface CommandContext<Who = Caller> extends CallContext<Who> {
  /** Commits before the answer is sent. An error rolls it back, except a refusal that is `committed`. */
  tx: Db;
  /** Runs `work` after the transaction has committed, such as notifying open pages; it must not fail. */
  after(work: () => void): void;
}

/** Everything a handler receives about its request. */
interface Context<E extends EndpointSpec> {
  deps: Deps;
  /** The transaction of an endpoint that writes; see `CommandContext`. */
  tx: E['writes'] extends true ? Db : undefined;
  after: CommandContext['after'];
  /** The signed-in caller; on endpoints open to everyone, null for visitors and invalid tokens. */
  caller: E['access'] extends 'everyone' ? Caller | null : E['loadsProfile'] extends true ? Owner : Caller;
  params: ParamsOf<E>;
  query: QueryOf<E>;
  body: BodyOf<E>;
  /** The bytes of the uploaded file, if the endpoint accepts one. */
  upload: E['uploads'] extends true ? Buffer : null;
  now: Date;
  network: string;
  client: string;
  userAgent: string | undefined;
  idempotencyKey: string | null;
  /** Runs reads that may be two seconds old, but always include what this browser has written; see `Reads.from`. */
  read: Reads['from'];
  request: FastifyRequest;
  reply: FastifyReply;
}

interface Mounted {
  endpoint: EndpointSpec;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    mounted?: Mounted;
  }
  interface FastifyRequest {
    /** Undefined until the request reaches an endpoint. */
    acting?: Acting;
  }
}

/** What `before` receives; the transaction is not open yet. */
type Preparation<E extends EndpointSpec> = Omit<Context<E>, 'tx' | 'after'> & Pick<PreparationContext, 'finally'>;

type Answered<E extends EndpointSpec> = Promise<E['streams'] extends string ? FastifyReply : Outcome<E>>;

interface Mounting<E extends EndpointSpec> {
  to(handler: (context: Context<E>) => Answered<E>): void;
  /**
   * Runs `prepare` before the transaction of an endpoint that writes, for work that must not run inside one: hashing,
   * providers, storage. The handler receives the result, and compares what was checked with the current state.
   */
  before<Prepared>(prepare: (context: Preparation<E>) => Promise<Prepared>): {
    to(handler: (context: Context<E>, prepared: Prepared) => Answered<E>): void;
  };
}

/**
 * Mounts a contract endpoint: checks its part, access and input, runs the handler, and serializes the answer with the contract's
 * schema. `logsAccount`: each success is logged with the account.
 */
export function mount<E extends EndpointSpec>(
  app: FastifyInstance,
  deps: Deps,
  endpoint: E,
  { logsAccount = false } = {},
): Mounting<E> {
  type Handler = (context: Context<E>, prepared: unknown) => Answered<E>;
  type Prepare = (context: Preparation<E>) => Promise<unknown>;
  const mountWith = (handler: Handler, prepare?: Prepare): void => {
    const status = endpoint.status ?? 200;
    const run = async (request: RequestContext): Promise<object> => {
      const later: (() => void)[] = [];
      const closing: (() => Promise<void>)[] = [];
      const context = {
        ...request,
        tx: undefined,
        after: (work: () => void) => void later.push(work),
        finally: (work: () => Promise<void>) => void closing.push(work),
      };
      try {
        const prepared = await prepare?.(context as unknown as Preparation<E>);
        if (endpoint.writes !== true) return enveloped(await handler(context as unknown as Context<E>, prepared));
        const body = await once(deps.db, request.kept, request.now, async (tx) => {
          // The work may run again after a deadlock.
          later.length = 0;
          return await handler({ ...context, tx } as unknown as Context<E>, prepared).then(enveloped, refusalToCommit);
        });
        for (const work of later) work();
        if (body instanceof AppError) throw body;
        return body;
      } finally {
        for (const work of closing) await work();
      }
    };
    const answered = (request: RequestContext): Promise<object> =>
      endpoint.claimsKey === true
        ? withKeyClaimed(deps.db, request.kept, request.now, () => run(request))
        : run(request);
    const answerTo = async (request: FastifyRequest, reply: FastifyReply) => {
      const context = await contextOf(deps, endpoint, { request, reply });
      const kept = context.kept === null ? null : await keptAnswer(deps.db, context.kept, context.now);
      if (kept !== null) return kept;
      if (endpoint.uploads !== true) await spend(deps, endpoint, context, 1);
      const body = await answered(context).catch(async (error: unknown) => {
        if (error instanceof AppError) await spend(deps, endpoint, context, (error.details.costs ?? 1) - 1);
        await auditDenied(deps, context.caller, error, context.now);
        throw error;
      });
      if (endpoint.method !== 'GET') noteWriting(deps, reply);
      if (logsAccount) logAccount(request, context.network);
      return { status, body };
    };
    const schema = endpoint.response === undefined ? null : serializerSchema(endpoint.response);
    app.route({
      method: endpoint.method,
      url: apiBasePath + endpoint.path.replaceAll(/\{(\w+)\}/g, ':$1'),
      config: { mounted: { endpoint } },
      bodyLimit: endpoint.bodyLimit ?? bodyLimitBytes,
      schema: schema === null ? {} : { response: { [status]: schema, '4xx': serializerSchema(errorBodySchema) } },
      ...(holdsCredential(schema) ? { compress: false } : {}),
      handler: async (request, reply) => {
        const language = requestedLanguage(request.headers['accept-language']);
        const acting: Acting = { requestId: request.id, accountId: null, signedIn: false, language };
        request.acting = acting;
        const answering = withinSpan(request.span, () => actingAs(acting, () => answerTo(request, reply)));
        if (endpoint.streams !== undefined) {
          // The handler sends the answer itself, which takes as long as the client reads.
          await answering;
          return reply;
        }
        const answer = await withDeadline(endpoint.uploads === true ? uploadWithinMs : answerWithinMs, answering);
        return reply.status(answer.status).send(answer.body);
      },
    });
  };
  return {
    to: (handler) => mountWith(handler),
    before: (prepare) => ({ to: (handler) => mountWith(handler as Handler, prepare) }),
  };
}

/** A cookie that lasts longer than a replica may be behind: until then, its browser reads from the primary. */
const wroteCookie = 'heartwood-wrote';
const wroteSeconds = staleMaxMs / 1000 + 1;

function noteWriting({ config }: Deps, reply: FastifyReply): void {
  if (config.databaseReadUrls.length === 0) return;
  const secure = config.publicUrl.startsWith('https:') ? '; Secure' : '';
  void reply.header(
    'set-cookie',
    `${wroteCookie}=1; Max-Age=${wroteSeconds}; Path=/; HttpOnly; SameSite=Strict${secure}`,
  );
}

const hasJustWritten = (request: FastifyRequest) =>
  (request.headers.cookie ?? '').split(/; */).includes(`${wroteCookie}=1`);

/** Audits an attempt that was denied, because its own transaction is rolled back. */
async function auditDenied({ db }: Deps, caller: Caller | null, error: unknown, now: Date): Promise<void> {
  const denied = error instanceof AppError ? error.details.denied : undefined;
  if (denied !== undefined && caller !== null)
    await inTransaction(db, (tx) => writeDenied(tx, actorOf(caller), denied, now));
}

/** Logs who did what, by ids, so that an account takeover can be traced later. */
function logAccount(request: FastifyRequest, network: string): void {
  const { accountId = null, signedIn = false } = request.acting ?? {};
  if (accountId !== null)
    request.log.info({ req: request, accountId, network }, signedIn ? 'signed in' : 'account action');
}

/** The status of successful answers. */
const statusOf = (endpoint: EndpointSpec) => endpoint.status ?? 200;

function enveloped(outcome: object): object {
  return { success: true, message: 'OK', ...outcome };
}

/**
 * Counts `requests` towards the limit of the call; 429 if it is exceeded. Calls open to visitors are counted by network for everyone,
 * because otherwise a new account for every sixty requests would bypass the limit.
 */
async function spend(
  { limits }: Deps,
  { limit, access }: EndpointSpec,
  { caller, network }: { caller: Caller | null; network: string },
  requests: number,
): Promise<void> {
  const subject = caller === null || access === 'everyone' ? network : caller.accountId;
  if (limit !== undefined && requests > 0) await limits.spend(limit, subject, requests);
}

type RequestContext = Awaited<ReturnType<typeof contextOf>>;

async function contextOf(
  deps: Deps,
  endpoint: EndpointSpec,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
) {
  if (endpoint.part !== undefined) requirePart(deps, endpoint.part);
  const now = deps.clock.now();
  const status = statusOf(endpoint);
  const network = networkOf(request.ip);
  const caller = await callerOf(deps, endpoint, request, now);
  checkAccess(deps, endpoint, caller);
  const idempotencyKey = readIdempotencyKey(request.headers['idempotency-key']);
  const params = parseParams(endpoint, request.params);
  const query = parseQuery(endpoint, caller, request.query);
  // An upload is counted before it is read, because reading is the costly part.
  const uploading = { caller, spend: () => spend(deps, endpoint, { caller, network }, 1) };
  const upload = await readUpload(deps.config, endpoint, uploading, { request, reply });
  const input = {
    params,
    query,
    body: parseInput(endpoint.body, upload?.body ?? request.body ?? (endpoint.body === undefined ? undefined : null)),
  };
  const kept: IdempotencyKey | null =
    idempotencyKey === null || endpoint.creates !== true
      ? null
      : {
          scope: `${caller?.accountId ?? 'visitor'} ${endpoint.method} ${request.url.split('?')[0]}`,
          key: idempotencyKey,
          status,
          keptSeconds: endpoint.answerKeptSeconds,
          // The parsed body is hashed, because unknown keys of the raw one may be nested too deeply to serialize.
          body: JSON.stringify(input.body ?? null),
        };
  return {
    deps,
    caller,
    ...input,
    upload: upload?.bytes ?? null,
    now,
    network,
    client: clientOf(request.ip),
    userAgent: request.headers['user-agent'],
    idempotencyKey,
    kept,
    read: <T>(work: (db: Db) => Promise<T>): Promise<T> =>
      hasJustWritten(request) ? work(deps.db) : deps.reads.from(work),
    request,
    reply,
  };
}

async function callerOf(
  deps: Deps,
  { loadsProfile }: EndpointSpec,
  request: FastifyRequest,
  now: Date,
): Promise<Caller | null> {
  const token = /^Bearer (\S{1,2048})$/i.exec(request.headers.authorization ?? '')?.[1];
  if (token === undefined) return null;
  const named = await deps.tokens.read(token, now);
  if (named === null) return null;
  const load = loadsProfile === true ? loadOwner : loadCaller;
  const caller = await load(deps.db, named.sessionId, named.accountId, now);
  if (caller === null) return null;
  noteAccount(caller.accountId);
  deps.activity.note(caller.accountId, caller.lastActiveAt);
  return caller;
}

function checkAccess({ config }: Deps, endpoint: EndpointSpec, caller: Caller | null): void {
  if (endpoint.access === 'everyone') return;
  if (caller === null) throw unauthenticated();
  if (endpoint.beforeSecondFactor !== true && lacksSecondFactor(config, caller))
    throw new AppError('SECOND_FACTOR_REQUIRED', msg`Please set up two-step verification first`);
  switch (endpoint.access) {
    case 'signedIn':
      return;
    case 'completed':
      if (isCompleted(caller)) return;
      throw caller.emailVerifiedAt === null
        ? new AppError('EMAIL_NOT_VERIFIED', msg`Please confirm your email address first`)
        : new AppError('PROFILE_INCOMPLETE', msg`Please complete your profile first`);
    default:
      if (may(caller.staffRole, endpoint.access)) return;
  }
  throw new AppError('FORBIDDEN', msg`You are not allowed to do this`);
}

const mostErrors = 20;
const longestNameShown = 100;

/** Parses `value` with `schema`; 400 with one entry per field if it is invalid. Undefined without a schema. */
function parseInput(schema: z.ZodMiniType | undefined, value: unknown): unknown {
  if (schema === undefined) return undefined;
  const result = schema.safeParse(value, { reportInput: true });
  if (result.success) return result.data;
  const errors = result.error.issues.flatMap((issue) => fieldErrors(issue, [])).slice(0, mostErrors);
  throw new AppError('INVALID_INPUT', errors[0]?.msg ?? wordless, { errors });
}

const rowParams = ['id', 'userId'];
/** An id that no row has. */
const nilId = '00000000-0000-0000-0000-000000000000';

/** Parses the parameters of the path. A text that can't be the id of a row becomes an unknown id. */
function parseParams({ params: schema }: EndpointSpec, value: unknown): unknown {
  const params = parseInput(schema, value) as Record<string, string> | undefined;
  const { shape = {} } = (schema ?? {}) as Partial<z.ZodMiniObject>;
  const wrong = rowParams.filter((name) => shape[name] === idSchema && !isUuid(params?.[name] ?? ''));
  return params && { ...params, ...Object.fromEntries(wrong.map((name) => [name, nilId])) };
}

/**
 * Parses the query. Staff get 400 for a parameter that the endpoint doesn't declare, because a misspelled filter would
 * list everyone. No one else may request more than a hundred rows.
 */
function parseQuery(endpoint: EndpointSpec, caller: Caller | null, value: unknown): unknown {
  const isStaff = caller !== null && caller.staffRole !== null;
  const unknown = isStaff ? undeclaredParameters(endpoint, value).map((name) => name.slice(0, longestNameShown)) : [];
  if (unknown.length > 0) {
    const errors = unknown.slice(0, mostErrors).map((field) => ({ field, msg: msg`This parameter is unknown` }));
    throw new AppError('INVALID_INPUT', msg`Unknown parameter: ${{ name: unknown[0] }}`, { errors });
  }
  const query = parseInput(endpoint.query, value);
  const { limit } = (query ?? {}) as { limit?: unknown };
  if (!isStaff && typeof limit === 'number' && limit > memberLimitMax)
    throw invalid('limit', msg`Use ${{ maximum: memberLimitMax }} or less`);
  return query;
}

function fieldErrors(issue: z.core.$ZodIssue, prefix: PropertyKey[]): InvalidField[] {
  const path = [...prefix, ...issue.path];
  // If a body has several valid forms, the caller meant the one with the fewest missing fields, or the first of
  // several.
  if (issue.code === 'invalid_union') {
    const missing = (issues: readonly z.core.$ZodIssue[]) => issues.filter(({ input }) => input === undefined).length;
    const [form = []] = issue.errors.filter(({ length }) => length > 0).toSorted((a, b) => missing(a) - missing(b));
    if (form.length > 0) return form.flatMap((inner) => fieldErrors(inner, path));
  }
  return [{ field: path.length === 0 ? 'body' : path.map(String).join('.'), msg: wordsFor(issue) }];
}

/** The default message of the schemas. */
const wordless = msg`Invalid input`;

const wrongKinds: Record<string, MessageDescriptor> = {
  string: msg`This must be text`,
  number: msg`This must be a number`,
  int: msg`This must be a whole number`,
  boolean: msg`This must be true or false`,
  array: msg`This must be a list`,
  object: msg`This must be an object`,
};

function wordsFor(issue: z.core.$ZodIssue): MessageDescriptor {
  if (issue.message !== wordless.message) return msg`${{ text: issue.message }}`;
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined
        ? msg`This is required`
        : (wrongKinds[issue.expected] ?? msg`This must be ${{ kind: issue.expected }}`);
    case 'invalid_value':
      return msg`Use one of: ${{ values: issue.values.map(String).join(', ') }}`;
    case 'too_big':
      return issue.origin === 'string'
        ? msg`Use at most ${{ maximum: issue.maximum }} characters`
        : msg`Use ${{ maximum: issue.maximum }} or less`;
    case 'too_small':
      return issue.origin === 'string'
        ? msg`Use at least ${{ minimum: issue.minimum }} characters`
        : msg`Use ${{ minimum: issue.minimum }} or more`;
    default:
      return wordless;
  }
}

/** The result of `work`, or 503 after `ms`. The work continues, and may still take effect. */
export async function withDeadline<T>(ms: number, work: Promise<T>): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    reject(
      new AppError('UNAVAILABLE', msg`This is taking too long. Please try again in a moment.`, {
        retryAfterSeconds: 2,
      }),
    );
  }, ms);
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
