export function mountAudit(..._: unknown[]): void {} // PLACEHOLDER: overwrite
