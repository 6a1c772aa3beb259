import { gunzipSync } from 'node:zlib';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { ValidateFunction } from 'ajv';
import fc from 'fast-check';
import { apiBasePath } from '#contract/constants.ts';
import { errorStatus } from '#contract/errors.ts';
import { errorBodySchema } from '#contract/error-body.ts';
import { callName } from '../guards/contract-endpoints.ts';
import { requests, type CallRequest } from '../guards/requests.ts';
import { formOf, type SentFile } from '../pictures.ts';
import type { TestApp } from '../harness.ts';
import { operationsOf, type ApiDescription, type Operation } from './api-description.ts';
import { makeCallers, type Callers } from './callers.ts';
import { plansFor, type Plan } from './request-values.ts';

export interface FuzzReport {
  call: string;
  sent: number;
  /** The number of answers by status. */
  statuses: Record<string, number>;
  /** The smallest request found that violates the contract, and how; null if there is none. */
  failure: string | null;
}

const atOnce = 3;

/** Sends `count` generated requests to each operation of a running app and checks every answer against the app's description. */
export async function fuzz(
  test: TestApp,
  options: { count: number; seed: number; only?: string | undefined; done?: (report: FuzzReport) => void },
): Promise<FuzzReport[]> {
  const api: ApiDescription = (await test.app.inject(`${apiBasePath}/openapi.json`)).json();
  const waiting = operationsOf(api).filter(
    (operation) => options.only === undefined || callName(operation).includes(options.only),
  );
  const reports: FuzzReport[] = [];
  const worker = async () => {
    // Separate callers, because one operation may end the session that another is using.
    const callers = await makeCallers(test);
    for (let operation = waiting.shift(); operation !== undefined; operation = waiting.shift()) {
      const report = await fuzzOperation(test, callers, operation, options);
      reports.push(report);
      options.done?.(report);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return reports;
}

async function fuzzOperation(
  test: TestApp,
  callers: Callers,
  operation: Operation,
  { count, seed }: { count: number; seed: number },
): Promise<FuzzReport> {
  await callers.meetAnother();
  const answers = createAnswerCheck(operation);
  const statuses: Record<string, number> = {};
  let sent = 0;
  const property = fc.asyncProperty(plansFor(operation, callers.known), async (plan) => {
    const { statusCode, headers, rawPayload } = await carryOut(test, callers, operation, plan);
    const body = (headers['content-encoding'] === 'gzip' ? gunzipSync(rawPayload) : rawPayload).toString();
    sent += 1;
    statuses[statusCode] = (statuses[statusCode] ?? 0) + 1;
    callers.learn(body);
    const wrong = answers(statusCode, String(headers['content-type']), body);
    if (wrong !== null) throw new Error(`${statusCode}: ${wrong}`);
    if ((statusCode < 300 && operation.method !== 'GET') || statusCode === 401) await callers.revive();
  });
  const outcome = await fc.check(property, { numRuns: count, seed, endOnFailure: false });
  const failure = outcome.failed ? `${fc.stringify(outcome.counterexample)} → ${String(outcome.errorInstance)}` : null;
  return { call: callName(operation), sent, statuses, failure };
}

async function carryOut(test: TestApp, callers: Callers, operation: Operation, plan: Plan) {
  const actor = callers.get(plan.caller);
  const parts: Parts = plan.change === null ? plan : await changedRequest(test, callers, operation, plan);
  const { params = {}, query = {}, body, file } = parts;
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encode(params[name] ?? 'none'));
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    [value].flat().map((one) => `${encode(name)}=${encode(one)}`),
  );
  const form = file && (await formOf(file));
  const payload = form?.payload ?? (body === undefined ? undefined : JSON.stringify(body));
  return await test.app.inject({
    method: operation.method,
    url: `${apiBasePath}${path}${pairs.length === 0 ? '' : `?${pairs.join('&')}`}`,
    headers: {
      ...(payload === undefined ? {} : { 'content-type': 'application/json' }),
      ...form?.headers,
      ...parts.headers,
      ...(actor === null ? {} : { authorization: `Bearer ${actor.token}` }),
      ...plan.headers,
    },
    ...(payload === undefined ? {} : { payload }),
  });
}

interface Parts {
  params?: Record<string, unknown>;
  query?: Record<string, unknown>;
  body?: unknown;
  headers?: Record<string, string>;
  file?: SentFile;
}

/** The operation's regular request with the plan's one change. */
async function changedRequest(
  test: TestApp,
  callers: Callers,
  operation: Operation,
  { caller, change }: Plan,
): Promise<Parts> {
  const prepare = async (): Promise<CallRequest> =>
    (await requests[callName(operation)]?.({ test, actor: callers.get(caller), other: callers.other })) ?? {};
  // Another worker's request can undo the preparation, for example by moving the sandbox's clock past a payment's end.
  const meant = await prepare().catch(prepare);
  const part = change === null || change.place === 'none' ? undefined : meant[change.place];
  const names = Object.keys(part ?? {});
  if (change === null || change.place === 'none' || names.length === 0) return meant;
  const name = names[change.index % names.length] ?? '';
  return { ...meant, [change.place]: { ...part, [name]: change.value } };
}

/** A value as it appears in a URL; lone surrogates as their bytes, because they have no encoding. */
function encode(value: unknown): string {
  const text = typeof value === 'string' ? value : String(JSON.stringify(value));
  // Path segments of one or two dots would be removed before sending.
  const sent = /^\.{1,2}$/.test(text) ? `${text}x` : text;
  return sent.isWellFormed() ? encodeURIComponent(sent) : '%ED%A0%80';
}

/** One validator for all operations, so that the shared error schemas are compiled only once. */
const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: false });

/** Returns a function that describes what is wrong with an answer, or null. */
function createAnswerCheck(operation: Operation): (status: number, contentType: string, body: string) => string | null {
  const validators = new Map<string, ValidateFunction>();
  for (const [status, { schema }] of Object.entries(operation.responses)) validators.set(status, ajv.compile(schema));
  return (status, contentType, body) => {
    if (status >= 500) return `the server failed: ${body}`;
    const declared = operation.responses[status];
    const validate = validators.get(String(status));
    if (declared === undefined || validate === undefined) return `undeclared status: ${body.slice(0, 300)}`;
    if (!contentType.startsWith(declared.mediaType)) return `answered as ${contentType}`;
    if (declared.mediaType !== 'application/json') return null;
    const parsed: unknown = JSON.parse(body);
    if (!validate(parsed)) return `outside its schema: ${ajv.errorsText(validate.errors)}: ${body.slice(0, 300)}`;
    return status < 400 ? null : wrongRefusal(status, parsed);
  };
}

function wrongRefusal(status: number, parsed: unknown): string | null {
  const { code, errors } = errorBodySchema.parse(parsed);
  if (errorStatus[code as keyof typeof errorStatus] !== status) return `has the code ${code}`;
  return code === 'INVALID_INPUT' && (errors ?? []).length === 0 ? 'invalid input, but does not say what' : null;
}
