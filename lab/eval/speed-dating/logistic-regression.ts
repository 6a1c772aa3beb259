import { sigmoid } from '../../../server/src/features/discovery/score/score.ts';

const stepsMax = 25;
const closeEnough = 1e-6;

/** Weights of the features, the intercept first; features are standardized within. */
export interface Model {
  intercept: number;
  weights: Float64Array;
  means: Float64Array;
  deviations: Float64Array;
}

/** Solves A·x = b for a symmetric positive A, row by row in `a` (Cholesky); overwrites both. */
export function solve(a: Float64Array, b: Float64Array): Float64Array {
  const size = b.length;
  const at = (row: number, column: number) => a[row * size + column] ?? 0;
  for (let column = 0; column < size; column += 1) {
    for (let row = column; row < size; row += 1) {
      let sum = at(row, column);
      for (let k = 0; k < column; k += 1) sum -= at(row, k) * at(column, k);
      a[row * size + column] = row === column ? Math.sqrt(Math.max(sum, Number.EPSILON)) : sum / at(column, column);
    }
  }
  for (let row = 0; row < size; row += 1) {
    let sum = b[row] ?? 0;
    for (let k = 0; k < row; k += 1) sum -= at(row, k) * (b[k] ?? 0);
    b[row] = sum / at(row, row);
  }
  for (let row = size - 1; row >= 0; row -= 1) {
    let sum = b[row] ?? 0;
    for (let k = row + 1; k < size; k += 1) sum -= at(k, row) * (b[k] ?? 0);
    b[row] = sum / at(row, row);
  }
  return b;
}

function momentsOf(rows: readonly Float64Array[], width: number): Pick<Model, 'means' | 'deviations'> {
  const means = new Float64Array(width);
  const deviations = new Float64Array(width);
  for (const row of rows) for (let k = 0; k < width; k += 1) means[k] = (means[k] ?? 0) + (row[k] ?? 0) / rows.length;
  for (const row of rows) {
    for (let k = 0; k < width; k += 1) {
      deviations[k] = (deviations[k] ?? 0) + ((row[k] ?? 0) - (means[k] ?? 0)) ** 2 / rows.length;
    }
  }
  // A constant feature carries no information and must not cause a division by zero.
  return { means, deviations: deviations.map((variance) => Math.sqrt(variance) || 1) };
}

/**
 * Fits a logistic regression by Newton's method, with `ridge` · ½|w|² on the standardized weights; the intercept is free.
 */
export function fitLogistic(rows: readonly Float64Array[], outcomes: readonly boolean[], ridge: number): Model {
  const width = rows[0]?.length ?? 0;
  const size = width + 1;
  const { means, deviations } = momentsOf(rows, width);
  const standardized = rows.map((row) => {
    const values = new Float64Array(size).fill(1);
    for (let k = 0; k < width; k += 1) values[k + 1] = ((row[k] ?? 0) - (means[k] ?? 0)) / (deviations[k] ?? 1);
    return values;
  });
  const all = new Float64Array(size);
  for (let step = 0; step < stepsMax; step += 1) {
    const [curvature, gradient] = [new Float64Array(size * size), new Float64Array(size)];
    for (let k = 1; k < size; k += 1) {
      curvature[k * size + k] = ridge;
      gradient[k] = -ridge * (all[k] ?? 0);
    }
    for (const [index, values] of standardized.entries()) {
      const p = sigmoid(dot(all, values));
      const residual = (outcomes[index] === true ? 1 : 0) - p;
      const weight = p * (1 - p);
      for (let row = 0; row < size; row += 1) {
        const value = values[row] ?? 0;
        gradient[row] = (gradient[row] ?? 0) + residual * value;
        for (let column = 0; column <= row; column += 1) {
          curvature[row * size + column] =
            (curvature[row * size + column] ?? 0) + weight * value * (values[column] ?? 0);
        }
      }
    }
    const change = solve(curvature, gradient);
    for (let k = 0; k < size; k += 1) all[k] = (all[k] ?? 0) + (change[k] ?? 0);
    if (change.every((part) => Math.abs(part) < closeEnough)) break;
  }
  return { intercept: all[0] ?? 0, weights: all.slice(1), means, deviations };
}

function dot(one: Float64Array, other: Float64Array): number {
  let sum = 0;
  for (let k = 0; k < one.length; k += 1) sum += (one[k] ?? 0) * (other[k] ?? 0);
  return sum;
}

/** The log-odds a model gives to one row of features. */
export function logOddsOf({ intercept, weights, means, deviations }: Model, row: Float64Array): number {
  let sum = intercept;
  for (let k = 0; k < row.length; k += 1) {
    sum += ((weights[k] ?? 0) * ((row[k] ?? 0) - (means[k] ?? 0))) / (deviations[k] ?? 1);
  }
  return sum;
}
