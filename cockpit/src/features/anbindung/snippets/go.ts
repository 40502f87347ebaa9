import { jsonLines, type Snippet } from '../snippet.ts';

const printAnswer = `	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		log.Fatal(err)
	}
	defer answer.Body.Close()
	text, _ := io.ReadAll(answer.Body)
	fmt.Println(answer.StatusCode, string(text))
}`;

export const snippet: Snippet = {
  place: 4,
  label: 'Go',
  send: ({ send, key }) => `package main

import (
	"fmt"
	"io"
	"log"
	"net/http"
	"strings"
)

func main() {
	body := strings.NewReader(\`{"ereignisse": [{
${jsonLines('		')}
	}]}\`)
	request, err := http.NewRequest("POST", "${send}", body)
	if err != nil {
		log.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer ${key}")
	request.Header.Set("Content-Type", "application/json")
${printAnswer}`,
  query: ({ query, key }) => `package main

import (
	"fmt"
	"io"
	"log"
	"net/http"
)

func main() {
	request, err := http.NewRequest("GET", "${query}", nil)
	if err != nil {
		log.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer ${key}")
${printAnswer}`,
};
