import { type Attributes, context, type Span, SpanKind, SpanStatusCode, trace, type Tracer } from '@opentelemetry/api';

let tracer: Tracer | null = null;
let share = 0;

/**
 * Creates spans with this tracer from now on, for a share (0…1) of the requests and jobs; null ends tracing. Untraced
 * work costs almost nothing.
 */
export function traceWith(next: Tracer | null, nextShare = 0): void {
  tracer = next;
  share = nextShare;
}

/**
 * Decides before the library creates a span, because creating a span that isn't recorded costs a tenth of a small
 * request.
 */
const startIfDrawn: typeof start = (...of) => (tracer !== null && Math.random() < share ? start(...of) : null);

function start(name: string, kind: SpanKind, attributes: Attributes): Span | null {
  return tracer?.startSpan(name, { kind, attributes }) ?? null;
}

function end(span: Span | null, hasFailed: boolean): void {
  if (hasFailed) span?.setStatus({ code: SpanStatusCode.ERROR });
  span?.end();
}

/** The span of a request, named by its route, because a URL could contain private data. Null if nothing is traced. */
export const startRequestSpan = (method: string, route: string): Span | null =>
  startIfDrawn(`${method} ${route}`, SpanKind.SERVER, { 'http.request.method': method, 'http.route': route });

/** Ends the span of a request that was answered with this status. */
export function endRequestSpan(span: Span | null, status: number): void {
  span?.setAttribute('http.response.status_code', status);
  end(span, status >= 500);
}

/** Runs `work` so that spans started within it belong to `span`. */
export const withinSpan = <T>(span: Span | null, work: () => T): T =>
  span === null ? work() : context.with(trace.setSpan(context.active(), span), work);

/** Runs a job within a span named by its task. */
export async function traceJob<T>(task: string, work: () => T | Promise<T>): Promise<T> {
  const span = startIfDrawn(`job ${task}`, SpanKind.CONSUMER, {});
  let hasFailed = true;
  try {
    const result = await withinSpan(span, work);
    hasFailed = false;
    return result;
  } finally {
    end(span, hasFailed);
  }
}

/**
 * The span of a statement within a traced request or job, by a name without values; elsewhere null, without computing
 * the name.
 */
export function startStatementSpan(name: () => string): { end: (hasFailed: boolean) => void } | null {
  if (tracer === null || trace.getActiveSpan()?.isRecording() !== true) return null;
  const summary = name();
  const span = start(summary, SpanKind.CLIENT, { 'db.system.name': 'postgresql', 'db.query.summary': summary });
  return { end: (hasFailed) => end(span, hasFailed) };
}

/** The id of the running trace, for the log; undefined if it is not recorded. */
export function traceId(): string | undefined {
  const span = tracer === null ? undefined : trace.getActiveSpan();
  return span?.isRecording() === true ? span.spanContext().traceId : undefined;
}
