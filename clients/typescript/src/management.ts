/** A stored answer, looked at or changed: it was counted when it was made, and has the form it had then. */
export const isStored = (path: string): boolean => /\/chat\/completions\/[^/]+$/.test(path);

/** Addresses where providers manage things or count tokens, all of it without a model that answers for money. */
const MANAGEMENT = [
  /\/(assistants|batches|connectors|containers|evals|files|fine[-_]?tun(ing|es)|moderations|organization|skills)(\/|$)/,
  /\/(uploads|vector_stores|cachedContents|corpora|tunedModels|fileSearchStores|client_secrets|datasets)(\/|$)/,
  /\/(agents|analytics|environments|keys|libraries|organizations|voices)(\/|$)/,
  /\/(batch|jobs)\/jobs(\/|$)/,
  /\/realtime\/\w+$/,
  /\/models(\/[^:/]*)?$/,
  /\/responses\/(input_tokens|[^/]+\/input_items)$/,
  /\/threads(\/[^/]+)?(\/messages(\/[^/]+)?)?$/,
  /\/conversations(\/[^/]+)?(\/items(\/[^/]+)?)?$/,
  /\/(de)?tokenize(-text)?$/,
  /\/count[-_]tokens$/,
  /(:|%3A)(countTokens|computeTokens|batchGenerateContent|asyncBatchEmbedContent|cancel|upload|download)$/i,
  /\/api\/(blobs|copy|create|delete|ps|pull|push|show|tags|version)(\/|$)/,
];

/** Whether the path is one of those. A proxy may have a model behind such a name: the answer's form is asked before. */
export const isManagement = (path: string): boolean => MANAGEMENT.some((pattern) => pattern.test(path));
