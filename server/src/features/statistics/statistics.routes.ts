export function mountStatistics(..._: unknown[]): void {} // PLACEHOLDER: overwrite
