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
	"crypto/rand"
	"fmt"
	"io"
	"log"
	"net/http"
	"strings"
)

func newID() string {
	b := make([]byte, 16)
	rand.Read(b)
	b[6], b[8] = b[6]&15|64, b[8]&63|128
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}

func main() {
	run := newID()
	body := strings.NewReader(\`{"ereignisse": [{
		"ereignis_id": "\` + newID() + \`", "lauf_id": "\` + run + \`",
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
