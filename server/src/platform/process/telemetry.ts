import { context, ValueType } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-http';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  AggregationTemporality,
  DataPointType,
  MeterProvider,
  type MetricData,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics';
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import { hostname } from 'node:os';
import type { MetricObjectWithValues, MetricValue, Registry } from 'prom-client';
import type { TelemetryConfig } from '../config/config.ts';
import { version } from './log.ts';
import { traceWith } from './tracing.ts';

type Metric = MetricObjectWithValues<MetricValue<string>>;
type Values = Metric['values'];

const msPerSecond = 1000;
const nsPerMs = 1_000_000;
const moment = (ms: number): [seconds: number, nanoseconds: number] => [
  Math.floor(ms / msPerSecond),
  Math.round((ms % msPerSecond) * nsPerMs),
];
const startedAt = moment(performance.timeOrigin);

function pointsOf<T>(values: Values, toValue: (value: Values[number]) => T) {
  const endTime = moment(Date.now());
  return values.map((one) => ({ startTime: startedAt, endTime, attributes: { ...one.labels }, value: toValue(one) }));
}

/**
 * The series of a histogram, for which the Prometheus client lists each bucket, the sum and the count as separate
 * values.
 */
function histogramsOf({ name, values }: Metric) {
  const partOf = ({ metricName = '' }: { metricName?: string }) => metricName.slice(name.length + 1);
  const bare = ({ labels }: Values[number]) => Object.entries(labels).filter(([label]) => label !== 'le');
  const series = Map.groupBy(values as (Values[number] & { metricName?: string })[], (one) =>
    JSON.stringify(bare(one)),
  );
  return [...series.values()].map((own) => {
    const buckets = own.filter((one) => partOf(one) === 'bucket');
    const upTo = buckets.map(({ value }) => value);
    return {
      labels: Object.fromEntries(own[0] === undefined ? [] : bare(own[0])),
      value: {
        buckets: {
          boundaries: buckets.map(({ labels }) => Number(labels['le'])).filter(Number.isFinite),
          counts: upTo.map((count, index) => count - (upTo[index - 1] ?? 0)),
        },
        sum: own.find((one) => partOf(one) === 'sum')?.value ?? 0,
        count: own.find((one) => partOf(one) === 'count')?.value ?? 0,
      },
    };
  });
}

/**
 * Converts a metric of the Prometheus client to OpenTelemetry; names, labels and buckets are the same as at `/metrics`.
 */
function toMetricData(metric: Metric): MetricData {
  const base = {
    descriptor: { name: metric.name, description: metric.help, unit: '', valueType: ValueType.DOUBLE },
    aggregationTemporality: AggregationTemporality.CUMULATIVE,
  };
  // The client's types declare an enumeration, but it returns the word.
  const type = String(metric.type);
  if (type === 'histogram') {
    const endTime = moment(Date.now());
    const dataPoints = histogramsOf(metric).map(({ labels, value }) => ({
      startTime: startedAt,
      endTime,
      attributes: labels,
      value,
    }));
    return { ...base, dataPointType: DataPointType.HISTOGRAM, dataPoints };
  }
  const dataPoints = pointsOf(
    metric.values.filter(({ value }) => Number.isFinite(value)),
    ({ value }) => value,
  );
  return type === 'counter'
    ? { ...base, dataPointType: DataPointType.SUM, isMonotonic: true, dataPoints }
    : { ...base, dataPointType: DataPointType.GAUGE, dataPoints };
}

/**
 * Sends a share of the traces, and the metrics of `registry`, to an OpenTelemetry collector by OTLP over HTTP. Data
 * that can't be delivered is dropped. `stop` sends what is left.
 */
export function startTelemetry(
  { endpoint, traceShare, metricsEveryMs }: TelemetryConfig,
  registry: Registry,
): { stop(): Promise<void> } {
  const resource = resourceFromAttributes({
    'service.name': 'heartwood',
    'service.version': version,
    'service.instance.id': `${hostname()}:${process.pid}`,
  });
  const traces = new TracerProvider({
    resource,
    spanProcessors: [new BatchSpanProcessor({ exporter: new OTLPTraceExporter({ url: `${endpoint}/v1/traces` }) })],
  });
  const reader = new PeriodicExportingMetricReader({
    exporter: new OTLPMetricExporter({ url: `${endpoint}/v1/metrics` }),
    exportIntervalMillis: metricsEveryMs,
    exportTimeoutMillis: Math.min(metricsEveryMs, 10_000),
    metricProducers: [
      {
        collect: async () => {
          const metrics = (await registry.getMetricsAsJSON()) as Metric[];
          const scopeMetrics = [{ scope: { name: 'heartwood' }, metrics: metrics.map(toMetricData) }];
          return { resourceMetrics: { resource, scopeMetrics }, errors: [] };
        },
      },
    ],
  });
  const meters = new MeterProvider({ resource, readers: [reader] });
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  traceWith(traces.getTracer('heartwood', version), traceShare);
  return {
    async stop() {
      traceWith(null);
      await Promise.allSettled([traces.shutdown(), meters.shutdown()]);
      context.disable();
    },
  };
}
