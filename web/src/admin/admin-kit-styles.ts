// The kit's styles that only the administrators' pages use, beyond `ui/kit-styles.ts`.
